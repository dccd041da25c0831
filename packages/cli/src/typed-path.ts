import { resolve } from 'node:path'

/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The folder where the command was typed, if it is not the working directory: scripts of the repository run in its root. */
export function typedFolder(env: Environment): string | undefined {
  return env['npm_package_name'] === 'hydra' ? env['INIT_CWD'] : undefined
}

/** The folder that relative paths are resolved against: where the command was typed. */
export function workingFolder(env: Environment): string {
  return typedFolder(env) ?? process.cwd()
}

/** A path as it was meant where it was typed, in full, so that messages show where was looked. */
export function typedPath(path: string, env: Environment): string {
  return resolve(workingFolder(env), path)
}
