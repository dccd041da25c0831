import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { type Environment, typedFolder, UsageError } from '@hydra/cli'
import { parseOptions } from '../cli/parse-options.ts'
import type { CliOptions } from '../settings/options.ts'
import { createLog } from '../log/log.ts'
import { routeLines } from '../serve/banner.ts'
import { cautionLines } from '../serve/caution-lines.ts'
import { startServer } from '../serve/server.ts'
import { type Address, urlOf } from '../settings/address.ts'
import { readAddress, readSettings, type Settings } from '../settings/read-settings.ts'
import { clientEnvironment } from './client-environment.ts'
import { findRunning } from './find-running.ts'

/** `hydra run claude …`: starts the proxy if none runs, runs the command against it and returns its exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const { options, rest } = parseOptions(args)
  const [command, ...commandArgs] = rest
  if (command === undefined) throw new UsageError('hydra run needs a command, for example: hydra run claude')
  const address = await readAddress(options, process.env)
  const found = await findRunning(address)
  switch (found.who) {
    case 'hydra':
      refuseRecording(address, options)
      return runAgainst({ ...address, passes: found.passes }, [command, commandArgs])
    case 'locked':
      throw new UsageError(`the proxy on port ${address.port} asks for a key: set HYDRA_KEY to it`)
    default:
      return runWithOwn(options, [command, commandArgs])
  }
}

type CommandLine = readonly [command: string, args: readonly string[]]

/** A proxy that runs already has settings of its own. */
function runAgainst({ host, port, key, passes }: RunningProxy, line: CommandLine): Promise<number> {
  const url = urlOf(host, port)
  say(`the proxy on ${url} runs already, and its settings count`)
  return runCommand(line, clientEnvironment(process.env, { url, key, passes }))
}

interface RunningProxy extends Address {
  readonly passes: boolean
}

function refuseRecording({ host, port }: Address, { record }: CliOptions): void {
  if (record === undefined) return
  const url = urlOf(host, port)
  throw new UsageError(`--record: the proxy on ${url} runs already; stop it, or choose another --port`)
}

function isPassing({ gateway }: Settings): boolean {
  return gateway.routes.some(({ passthrough }) => passthrough)
}

async function runWithOwn(options: CliOptions, line: CommandLine): Promise<number> {
  const settings = await readSettings({ log: 'silent', ...options }, process.env)
  const server = await startServer(settings, createLog(settings, writeAside))
  try {
    say(`a proxy runs on ${server.url}`)
    for (const caution of cautionLines(settings)) say(caution)
    for (const route of routeLines(settings.gateway)) say(`  ${route}`)
    if (settings.recording !== undefined) say(`recording to ${settings.recording.folder}`)
    const client = { url: server.url, key: settings.gateway.guard?.key, passes: isPassing(settings) }
    return await runCommand(line, clientEnvironment(process.env, client))
  } finally {
    await server.drain(0)
  }
}

function say(text: string): void {
  writeAside(`hydra: ${text}\n`)
}

/** Standard output belongs to the command. */
function writeAside(text: string): void {
  process.stderr.write(text)
}

function runCommand([command, args]: CommandLine, env: Environment): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', env, cwd: typedFolder(process.env) })
    process.on('SIGTERM', (signal) => child.kill(signal))
    // The terminal sends an interrupt to the child as well, which knows better what to do with it.
    process.on('SIGINT', () => {})
    child.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'ENOENT' ? 'was not found: is it installed?' : 'cannot be started'
      reject(new UsageError(`${command} ${reason}`))
    })
    child.once('close', (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    )
  })
}
