import { type Program, versionLine } from '@hydra/cli'
import { VERSION } from '../version.ts'
import { COMMANDS, HELP } from './commands.ts'

/** The program `hydra`. */
export const HYDRA: Program = {
  name: 'hydra',
  version: () => versionLine(VERSION, import.meta.url),
  help: HELP,
  commands: COMMANDS,
  defaultCommand: 'serve',
}
