import type { Environment } from './typed-path.ts'

/** The scripts of the repository that stand for the installed programs. */
const SCRIPTS: ReadonlySet<string | undefined> = new Set(['hydra', 'start', 'tape'])

/** What `hydra-tape` is called where it was started: a clone has only scripts. */
export function programName(env: Environment): string {
  return isScript(env) ? 'pnpm tape' : 'hydra-tape'
}

/** What `hydra` is called where it was started. */
export function proxyName(env: Environment): string {
  return isScript(env) ? 'pnpm hydra' : 'hydra'
}

/** A text with commands in it as they can be typed where the program was started. */
export function inClone(text: string, env: Environment): string {
  if (!isScript(env)) return text
  return text
    .replaceAll(/(?<![\w./-])hydra-tape (?=[a-zA-Z-])/g, `${programName(env)} `)
    .replaceAll(/(?<![\w./-])hydra (?=(?:serve|run|doctor|check|explain) |--help)/g, `${proxyName(env)} `)
}

/** A word as a shell takes it for one. */
export function quotedWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function isScript(env: Environment): boolean {
  return env['npm_package_name'] === 'hydra' && SCRIPTS.has(env['npm_lifecycle_event'])
}
