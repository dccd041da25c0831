import { access, readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { extname, isAbsolute, join } from 'node:path'
import { type Environment, UsageError } from '@hydra/cli'
import { checkConfig, type ConfigPath, type ConfigSource, shownPath } from './check-config.ts'
import type { Config } from './config.ts'
import { jsonSource } from './json-source.ts'
import { moduleSource } from './module-source.ts'

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
  const folder = configFolder(env)
  for (const name of NAMES) {
    const file = join(folder, name)
    // oxlint-disable-next-line no-await-in-loop -- the first that exists counts
    if (await exists(file)) return file
  }
  return undefined
}

/** Paths that are not absolute count for nothing, as the specification says: the working directory would be searched. */
function configFolder(env: Environment): string {
  const { XDG_CONFIG_HOME: configured = '', HOME: home = '' } = env
  if (isAbsolute(configured)) return join(configured, 'hydra')
  return join(isAbsolute(home) ? home : userInfo().homedir, '.config', 'hydra')
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
  const text = await readText(file)
  refuseForeign(file, text)
  const source = await sourceOf(file, text)
  return {
    file,
    config: checkConfig(source),
    fault: (path, message) => new UsageError(`${source.place(path)}: ${shownPath(path)}: ${message}`),
  }
}

async function sourceOf(file: string, text: string): Promise<ConfigSource> {
  const extension = extname(file)
  if (/^\.jsonc?$/.test(extension)) return jsonSource(file, text)
  if (/^\.[cm]?[jt]s$/.test(extension)) return moduleSource(file, text)
  throw new UsageError(`${file}: expected a configuration that ends in .json or .ts`)
}

/** Configurations of other programs, by what all of them have. */
const FOREIGN: readonly (readonly [name: string, format: string, sign: RegExp])[] = [
  ['claude-code-router', 'ccr', /^\s*\{[^]*"Providers"\s*:\s*\[[^]*"api_base_url"/],
  ['LiteLLM', 'litellm', /^\s*\{?\s*"?model_list"?\s*:/m],
]

/** Says what to do with a configuration of another program; its faults as one of ours would say nothing. */
function refuseForeign(file: string, text: string): void {
  const [name, format] = FOREIGN.find(([, , sign]) => sign.test(text)) ?? []
  if (name === undefined || /\.[cm]?[jt]s$/.test(file)) return
  throw new UsageError(
    `${file}: this is a configuration of ${name}; hydra import ${format} FILE --out hydra.config.json writes ours`,
  )
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file}: ${reasonOf(error)}`)
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'there is no such configuration file'
    case 'EISDIR':
      return 'expected a configuration file, got a folder'
    default:
      return `the configuration cannot be read (${code})`
  }
}
