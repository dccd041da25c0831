import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { parseOptions } from './cli/options.ts'
import { UsageError } from './cli/usage-error.ts'
import { startServer } from './serve/server.ts'
import { readSettings } from './settings/read-settings.ts'
import type { Settings } from './settings/settings.ts'

/** `hydra run claude …`: starts the proxy if none runs, runs the command against it and returns its exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const { options, rest } = parseOptions(args)
  const [command, ...commandArgs] = rest
  if (command === undefined) throw new UsageError('hydra run needs a command, for example: hydra run claude')
  const settings = await readSettings({ log: 'silent', ...options }, process.env)
  const url = `http://127.0.0.1:${settings.port}`
  if (await isHydra(url)) return runCommand(command, commandArgs, clientEnvironment(url, settings))
  const server = await startServer(settings)
  const code = await runCommand(command, commandArgs, clientEnvironment(server.url, settings))
  await server.drain(0)
  return code
}

async function isHydra(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health`)
    const { name } = (await response.json()) as { name?: unknown }
    return name === 'hydra'
  } catch {
    return false
  }
}

/** The environment that sends Claude Code to the proxy; where requests pass through, its own credentials stay. */
function clientEnvironment(url: string, { gateway }: Settings): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, ANTHROPIC_BASE_URL: url }
  const key = gateway.guard?.key?.reveal()
  if (gateway.routes.some((route) => route.passthrough)) {
    if (key !== undefined) env['ANTHROPIC_CUSTOM_HEADERS'] = `x-hydra-key: ${key}`
    return env
  }
  env['ANTHROPIC_AUTH_TOKEN'] = key ?? 'hydra'
  delete env['ANTHROPIC_API_KEY']
  return env
}

function runCommand(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', env })
    const forward = (signal: NodeJS.Signals): void => {
      child.kill(signal)
    }
    process.on('SIGTERM', forward)
    // The terminal sends an interrupt to the child as well, which knows better what to do with it.
    process.on('SIGINT', () => {})
    child.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'ENOENT' ? new UsageError(`${command} was not found: is it installed?`) : error)
    })
    child.once('close', (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    )
  })
}
