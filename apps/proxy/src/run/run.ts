import { UsageError, workingFolder } from '@hydra/cli'
import { parseOptions } from '../cli/parse-options.ts'
import type { CliOptions } from '../settings/options.ts'
import { createLog } from '../log/log.ts'
import { routeLines } from '../serve/banner.ts'
import { cautionLines } from '../serve/caution-lines.ts'
import { startServer } from '../serve/server.ts'
import { type Address, urlOf } from '../settings/address.ts'
import { readAddress, readSettings, type Settings } from '../settings/read-settings.ts'
import { findRunning } from './find-running.ts'
import { findCommand, type FoundCommand, launch } from './launch.ts'
import { listAgents } from './list-agents.ts'

/** `hydra run claude …`: starts the proxy if none runs, runs the command against it and returns its exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const { options, list, speak, rest } = parseOptions(args)
  if (list) {
    process.stdout.write(listAgents(process.env))
    return 0
  }
  const [command, ...commandArgs] = rest
  if (command === undefined) {
    throw new UsageError(
      'hydra run needs a command, for example: hydra run claude; --list shows what is known',
    )
  }
  const found = findCommand([command, ...commandArgs], { env: process.env, speak })
  const address = await readAddress(options, process.env)
  const running = await findRunning(address)
  switch (running.who) {
    case 'hydra':
      refuseRecording(address, options)
      return runAgainst({ ...address, passes: running.passes }, found)
    case 'locked':
      throw new UsageError(`the proxy on port ${address.port} asks for a key: set HYDRA_KEY to it`)
    default:
      return runWithOwn(options, found)
  }
}

/** A proxy that runs already has settings of its own. */
function runAgainst({ host, port, key, passes }: RunningProxy, found: FoundCommand): Promise<number> {
  const url = urlOf(host, port)
  say(`the proxy on ${url} runs already, and its settings count`)
  return launch(found, { url, key, passes }, say)
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

async function runWithOwn(options: CliOptions, found: FoundCommand): Promise<number> {
  const settings = withWorkspace(await readSettings({ log: 'silent', ...options }, process.env))
  const server = await startServer(settings, createLog(settings, writeAside))
  try {
    say(`a proxy runs on ${server.url}`)
    for (const caution of cautionLines(settings)) say(caution)
    for (const route of routeLines(settings.gateway)) say(`  ${route}`)
    if (settings.recording !== undefined) say(`recording to ${settings.recording.folder}`)
    const client = { url: server.url, key: settings.gateway.guard?.key, passes: isPassing(settings) }
    return await launch(found, client, say)
  } finally {
    await server.drain(0)
  }
}

/** The command works where it was typed, which its tape says. */
function withWorkspace(settings: Settings): Settings {
  const { recording } = settings
  if (recording === undefined) return settings
  return { ...settings, recording: { ...recording, workspace: workingFolder(process.env) } }
}

function say(text: string): void {
  writeAside(`hydra: ${text}\n`)
}

/** Standard output belongs to the command. */
function writeAside(text: string): void {
  process.stderr.write(text)
}
