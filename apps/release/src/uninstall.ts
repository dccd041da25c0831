import { explained, npm, type NpmOptions, parseInstall } from './npm.ts'
import { PROGRAMS } from './programs.ts'

const HELP = `pnpm uninstall-hydra: removes what pnpm install-hydra has installed

Usage
  pnpm uninstall-hydra [--prefix DIR]

Options
  --prefix DIR  where it was installed; default npm's own global folder
  -h, --help    this text

Example
  npx -y pnpm@12.18.0 uninstall-hydra
`

/** `pnpm uninstall-hydra`. */
function uninstall(options: NpmOptions): number {
  const installed = installedNames(options)
  const removed = PROGRAMS.filter(({ name }) => installed.has(name))
  if (removed.length === 0) {
    process.stdout.write(`nothing to remove: ${commandsOf(PROGRAMS)} are not installed there\n`)
    return 0
  }
  const { status, stderr } = npm(['uninstall', '--global', ...removed.map(({ name }) => name)], options)
  if (status === 0) {
    process.stdout.write(`removed: ${commandsOf(removed)}\n`)
    return 0
  }
  process.stderr.write(`uninstall-hydra: ${explained(stderr, 'uninstall-hydra').trim()}\n`)
  return 1
}

function commandsOf(programs: typeof PROGRAMS): string {
  return programs.map(({ command }) => command).join(' and ')
}

/** The packages in npm's global folder; all of ours if it cannot say. */
function installedNames(options: NpmOptions): ReadonlySet<string> {
  const { stdout } = npm(['ls', '--global', '--depth=0', '--json'], options)
  try {
    const { dependencies = {} } = JSON.parse(stdout) as {
      readonly dependencies?: Readonly<Record<string, unknown>>
    }
    return new Set(Object.keys(dependencies))
  } catch {
    return new Set(PROGRAMS.map(({ name }) => name))
  }
}

const options = parseInstall('uninstall-hydra', HELP)
if (options !== undefined) process.exitCode = uninstall(options)
