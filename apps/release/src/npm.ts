import { spawnSync } from 'node:child_process'
import { type Environment, parseArguments, typedPath, UsageError, userEnvironment } from '@hydra/cli'

/** Where npm works. */
export interface NpmOptions {
  /** Its global folder, if not its own. */
  readonly prefix?: string | undefined
  readonly cwd?: string | undefined
}

/** What npm answered. */
export interface NpmResult {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * The environment of whoever typed the command: with the repository's Node in front, npm would take that one's folder
 * for the global one.
 */
export function userTools(): Record<string, string | undefined> {
  const script: Environment = { ...process.env, npm_lifecycle_event: 'hydra' }
  return { ...userEnvironment(script) }
}

/** Runs the machine's own npm. */
export function npm(args: readonly string[], { prefix, cwd }: NpmOptions): NpmResult {
  const all = [
    ...args,
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...(prefix === undefined ? [] : ['--prefix', prefix]),
  ]
  return spawnSync('npm', all, {
    encoding: 'utf8',
    env: userTools(),
    shell: process.platform === 'win32',
    ...(cwd === undefined ? {} : { cwd }),
  })
}

/** What went wrong with npm, and what to do about it where that is known. */
export function explained(stderr: string | null, command: string): string {
  if (stderr === null) return 'npm was not found: it comes with Node'
  if (/EACCES|EPERM/.test(stderr)) {
    return `npm may not write to its global folder: use another with ${command} --prefix ~/.local`
  }
  if (/EEXIST/.test(stderr)) return `another package has installed a program of the same name:\n${stderr}`
  return stderr
}

const OPTIONS = { prefix: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const

/** The options of a command; nothing if it was asked for its help, or misused. */
export function parseInstall(command: string, help: string): NpmOptions | undefined {
  try {
    const words = process.argv.slice(2).filter((word) => word !== '--')
    const { values, positionals } = parseArguments(words, { command: `pnpm ${command}`, options: OPTIONS })
    if (positionals.length > 0) throw new UsageError(`expected no word, got '${positionals[0]}'`)
    if (values.help !== true) {
      return values.prefix === undefined ? {} : { prefix: typedPath(values.prefix, process.env) }
    }
    process.stdout.write(help)
  } catch (error) {
    process.stderr.write(`${command}: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 2
  }
  return undefined
}
