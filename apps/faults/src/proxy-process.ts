import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DialectName } from '@hydra/core'
import type { Held } from './memory-probe.ts'
import { until } from './until.ts'

/** A proxy that runs as a process of its own, and what can be known of it. */
export interface ProxyProcess {
  readonly port: number
  /** How many files and connections it holds. */
  descriptors(): number
  /** What it holds in memory and cannot let go, in bytes. */
  memory(): Promise<number>
  signal(signal: NodeJS.Signals): void
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>
  close(): Promise<void>
}

/** What a test changes of the proxy. */
export interface ProxyOptions {
  /** What the upstream speaks; Chat Completions if it is not said. */
  readonly dialect?: DialectName
  /** What the one route has besides its upstream. */
  readonly route?: { readonly passthrough?: boolean; readonly translate?: 'always' }
  readonly inspector?: boolean
  readonly timeouts?: Readonly<Record<string, number>>
  readonly limits?: Readonly<Record<string, number>>
  readonly retries?: Readonly<Record<string, number>>
  /** How many files and connections the kernel lets it have. */
  readonly maxDescriptors?: number
}

const MAIN = fileURLToPath(new URL('../../proxy/src/main.ts', import.meta.url))
const PROBE = new URL('memory-probe.ts', import.meta.url).href
const FLAGS = ['--expose-gc', '--import', PROBE]

/** Starts the proxy in front of an upstream. */
export async function startProxy(upstream: string, options: ProxyOptions = {}): Promise<ProxyProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'hydra-faults-'))
  const { dialect, route, maxDescriptors, ...rest } = options
  const config = join(folder, 'hydra.config.json')
  const upstreams = { up: { url: upstream, dialect } }
  const routes = [{ upstream: 'up', ...route }]
  writeFileSync(config, JSON.stringify({ port: 0, upstreams, routes, retries: { times: 0 }, ...rest }))
  const line = [process.execPath, ...FLAGS, MAIN, 'serve', '--config', config, '--log', 'silent']
  const limited = maxDescriptors === undefined ? '' : `ulimit -n ${maxDescriptors} && `
  const child = spawn('/bin/sh', ['-c', `${limited}exec "$@"`, 'sh', ...line], {
    env: { PATH: process.env['PATH'] ?? '', HOME: folder },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const port = await portOf(child)
  return {
    port,
    descriptors: () => readdirSync(`/proc/${child.pid}/fd`).length,
    memory: () => heldBy(child),
    signal: (signal) => void child.kill(signal),
    ended,
    async close() {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function portOf(child: ChildProcess): Promise<number> {
  let printed = ''
  child.stdout?.setEncoding('utf8').on('data', (piece: string) => (printed += piece))
  const isListening = await until(
    () => /listens on http:\S+:\d+/.test(printed) || child.exitCode !== null,
    60_000,
  )
  const port = Number(/listens on http:\S+:(\d+)/.exec(printed)?.[1])
  if (isListening && port > 0) return port
  throw new Error(`the proxy does not listen: ${printed}`)
}

async function heldBy(child: ChildProcess): Promise<number> {
  const told = once(child, 'message')
  child.send('measure')
  const [{ held }] = (await told) as [Held]
  return held
}

/** How many descriptors more than before a proxy still holds, after it has had time to let go of them. */
export async function leakedBy(proxy: ProxyProcess, before: number): Promise<number> {
  // Connections to the upstream are kept for the next call, and are no leak; they close after some seconds.
  await until(() => proxy.descriptors() <= before, 60_000)
  const leaked = Math.max(0, proxy.descriptors() - before)
  if (leaked > 0) console.log(`  ${leaked} descriptors more than the ${before} before`)
  return leaked
}

const MEGABYTE = 1024 * 1024

/** 1 if a proxy holds more megabytes than it may beyond what it held before, and says how many. */
export async function grownBy(proxy: ProxyProcess, before: number, most: number): Promise<number> {
  const megabytes = Math.round(((await proxy.memory()) - before) / MEGABYTE)
  if (megabytes <= most) return 0
  console.log(`  ${megabytes} MB more in memory than before, at most ${most}`)
  return 1
}
