import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import type { Environment } from '@hydra/cli'

/** Where installers put programs, below the home folder and elsewhere, that a PATH may lack. */
const HOME_FOLDERS = ['.local/bin', '.claude/local', '.opencode/bin', '.npm-global/bin', '.bun/bin']
const FOLDERS = ['/usr/local/bin', '/opt/homebrew/bin']

/** The whole path of a program, as a shell finds it in this environment, or where installers are known to put it. */
export function findProgram(command: string, env: Environment): string | undefined {
  if (command.includes('/')) return firstProgram([resolve(command)])
  const home = env['HOME']
  const folders = [
    ...(env['PATH'] ?? '').split(delimiter).filter(Boolean),
    ...(home ? HOME_FOLDERS.map((folder) => join(home, folder)) : []),
    ...FOLDERS,
  ]
  return firstProgram(folders.map((folder) => join(folder, command)))
}

function firstProgram(paths: readonly string[]): string | undefined {
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return statSync(path).isFile()
    } catch {
      return false
    }
  })
}
