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
  const { status, stderr } = npm(['uninstall', '--global', ...PROGRAMS.map(({ name }) => name)], options)
  if (status === 0) {
    process.stdout.write(`${PROGRAMS.map(({ command }) => command).join(' and ')} are removed\n`)
    return 0
  }
  process.stderr.write(`uninstall-hydra: ${explained(stderr, 'uninstall-hydra').trim()}\n`)
  return 1
}

const options = parseInstall('uninstall-hydra', HELP)
if (options !== undefined) process.exitCode = uninstall(options)
