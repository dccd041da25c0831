import { dirname } from 'node:path'
import type { Environment } from './typed-path.ts'

/** The scripts of the repository that run the installed programs. */
const SCRIPTS: ReadonlySet<string | undefined> = new Set(['hydra', 'start', 'tape'])

/** What `hydra-tape` is called where it was started: a clone has only scripts. */
export function programName(env: Environment): string {
  return isScript(env) ? `${managerName(env)} tape` : 'hydra-tape'
}

/** What `hydra` is called where it was started. */
export function proxyName(env: Environment): string {
  return isScript(env) ? `${managerName(env)} hydra` : 'hydra'
}

const COMMANDS = 'serve|run|statusline|doctor|check|keys|usage|explain|import|help'

/** A text with commands in it as they can be typed where the program was started. */
export function inClone(text: string, env: Environment): string {
  if (!isScript(env)) return text
  return text
    .replaceAll(/(?<![\w./-])hydra-tape (?=[a-zA-Z-])/g, `${programName(env)} `)
    .replaceAll(new RegExp(`(?<![\\w./-])hydra (?=(?:${COMMANDS})\\b|--help)`, 'g'), `${proxyName(env)} `)
}

/** A word as a shell takes it for one. */
export function quotedWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Whether a script of the repository was started, and not an installed program. */
export function isScript(env: Environment): boolean {
  return env['npm_package_name'] === 'hydra' && SCRIPTS.has(env['npm_lifecycle_event'])
}

/** Whether the package manager that runs this was itself brought by npx. */
export function isFetched(env: Environment): boolean {
  return /[\\/]_npx[\\/]/.test(env['npm_execpath'] ?? '')
}

/** The package manager as it was called: by npx if that brought it, and with the repository's folder if it was named. */
function managerName(env: Environment): string {
  const [, version] = /^pnpm\/(\S+)/.exec(env['npm_config_user_agent'] ?? '') ?? []
  const manager = isFetched(env) && version !== undefined ? `npx -y pnpm@${version}` : 'pnpm'
  const manifest = env['npm_package_json']
  const isElsewhere = manifest !== undefined && env['INIT_CWD'] !== dirname(manifest)
  return isElsewhere ? `${manager} -C ${quotedWord(dirname(manifest))}` : manager
}
