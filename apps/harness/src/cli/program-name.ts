import type { Surroundings } from '../command.ts'

/** What this program is called where it was started: in a clone there is no `hydra-tape`, only the script. */
export function programName(env: Surroundings['env']): string {
  return isScript(env) ? 'pnpm tape' : 'hydra-tape'
}

/** The same for the proxy. */
export function proxyName(env: Surroundings['env']): string {
  return isScript(env) ? 'pnpm hydra' : 'hydra'
}

/** A text that names commands, with the names under which they can be typed. */
export function withProgramName(text: string, env: Surroundings['env']): string {
  if (!isScript(env)) return text
  return text
    .replaceAll(/(?<![\w./-])hydra-tape (?=[a-zA-Z-])/g, `${programName(env)} `)
    .replaceAll(/(?<![\w./-])hydra (?=serve |run |--help)/g, `${proxyName(env)} `)
}

function isScript(env: Surroundings['env']): boolean {
  return env['npm_package_name'] === 'hydra' && env['npm_lifecycle_event'] === 'tape'
}
