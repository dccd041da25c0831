import { delimiter, dirname, sep } from 'node:path'
import { isScript } from './program-name.ts'
import { type Environment, workingFolder } from './typed-path.ts'

/** What package managers set for the scripts that they run. */
const OF_MANAGERS = /^(?:npm_|pnpm_config_|PNPM_SCRIPT_SRC_DIR$|INIT_CWD$)/

/** What npm sets whatever the user has, with the value that it sets. */
const DEFAULTS: Readonly<Record<string, (value: string, env: Environment) => boolean>> = {
  COLOR: (value) => value === '0' || value === '1',
  EDITOR: (value) => value === 'vi',
  NODE: (value, env) => value === env['npm_node_execpath'],
}

/**
 * The environment of the person who typed the command. A script of the repository runs in another: with the
 * repository's own programs first in PATH, the variables of package managers, and another working directory.
 */
export function userEnvironment(env: Environment): Environment {
  if (!isScript(env)) return env
  const own = Object.entries(env).filter(
    ([name, value]) =>
      value !== undefined && !OF_MANAGERS.test(name) && DEFAULTS[name]?.(value, env) !== true,
  )
  return { ...Object.fromEntries(own), PATH: userPath(env), PWD: workingFolder(env) }
}

/** PATH without what was put in front of it. */
function userPath(env: Environment): string {
  const folders = (env['PATH'] ?? '').split(delimiter)
  const first = folders.findIndex((folder) => !isOfManager(folder, env))
  const removed = new Set<string>()
  const kept = folders.slice(0, first === -1 ? folders.length : first).filter((folder) => {
    // What is there twice was once there before.
    const isSecond = removed.has(folder) && !isOfRepository(folder, env)
    removed.add(folder)
    return isSecond
  })
  return [...kept, ...folders.slice(first === -1 ? folders.length : first)].join(delimiter)
}

function isOfManager(folder: string, env: Environment): boolean {
  if (isOfRepository(folder, env) || folder.endsWith(`${sep}node-gyp-bin`)) return true
  if (folder.includes(`${sep}_npx${sep}`)) return true
  // npx adds those of all folders above the one where it was typed.
  const end = `${sep}node_modules${sep}.bin`
  return folder.endsWith(end) && isAbove(folder.slice(0, -end.length), workingFolder(env))
}

function isOfRepository(folder: string, env: Environment): boolean {
  const manifest = env['npm_package_json']
  return manifest !== undefined && folder.startsWith(`${dirname(manifest)}${sep}`)
}

function isAbove(folder: string, below: string): boolean {
  return folder === below || below.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
}
