import { resolve } from 'node:path'
import type { Environment } from './environment.ts'

/** Where the command was typed: a script of this repository runs in its root, wherever it was called from. */
export function typedFolder(env: Environment): string | undefined {
  return env['npm_package_name'] === 'hydra' ? env['INIT_CWD'] : undefined
}

/** A path as whoever typed it means it, in full: messages that show it say where was looked. */
export function typedPath(path: string, env: Environment): string {
  return resolve(typedFolder(env) ?? '', path)
}
