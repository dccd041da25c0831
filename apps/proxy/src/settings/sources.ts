import type { CliOptions } from '../cli/options.ts'
import type { ConfigFile } from './config-file.ts'
import type { Environment } from './environment.ts'

/** Where settings come from, in the order in which they count. */
export interface Sources {
  readonly options: CliOptions
  readonly env: Environment
  readonly source: ConfigFile | undefined
}
