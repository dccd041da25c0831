import { access } from 'node:fs/promises'
import { homedir } from 'node:os'
import { extname, join } from 'node:path'
import { UsageError } from '../cli/usage-error.ts'
import { checkConfig } from './check-config.ts'
import type { Config } from './config.ts'
import { type ConfigPath, type ConfigSource, shownPath } from './config-source.ts'
import type { Environment } from './environment.ts'
import { readJsonSource } from './json-source.ts'
import { readModuleSource } from './module-source.ts'

/** A configuration that was read and checked. */
export interface ConfigFile {
  readonly file: string
  readonly config: Config
  /** A mistake in it that only shows when it is used, with its line. */
  fault(path: ConfigPath, message: string): UsageError
}

const NAMES = ['hydra.config.json', 'hydra.config.ts']

/** The configuration in the user's own folder, if there is one. The working directory is never searched. */
export async function findConfig(env: Environment): Promise<string | undefined> {
  const folder = join(env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config'), 'hydra')
  for (const name of NAMES) {
    const file = join(folder, name)
    // oxlint-disable-next-line no-await-in-loop -- the first that exists counts
    if (await exists(file)) return file
  }
  return undefined
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file)
    return true
  } catch {
    return false
  }
}

/** Reads and checks a configuration file; every fault is named with its line. */
export async function loadConfig(file: string): Promise<ConfigFile> {
  const source = await (extname(file) === '.json' ? readJsonSource(file) : readModuleSource(file))
  return {
    file,
    config: checkConfig(source),
    fault: (path, message) => new UsageError(faultLine(source, path, message)),
  }
}

function faultLine(source: ConfigSource, path: ConfigPath, message: string): string {
  return `${source.place(path)}: ${shownPath(path)}: ${message}`
}
