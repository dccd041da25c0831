import { typedFolder } from '@hydra/proxy/typed-path'
import type { Surroundings } from '../command.ts'

/** Where relative paths begin: where the command was typed. */
export function workingFolder(env: Surroundings['env']): string {
  return typedFolder(env) ?? process.cwd()
}
