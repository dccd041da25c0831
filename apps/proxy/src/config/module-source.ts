import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { UsageError } from '@hydra/cli'
import type { ConfigPath, ConfigSource } from './check-config.ts'

/** A configuration in a module: its default export. */
export async function moduleSource(file: string, text: string): Promise<ConfigSource> {
  const { default: value } = await importModule(file)
  if (value === undefined) {
    throw new UsageError(`${file}: expected a default export with the configuration`)
  }
  return { value, place: (path) => `${file}${lineIn(text, path)}` }
}

/** What a configuration imports for its types; it need not be installed where the configuration is. */
const TYPED = '@hydra/proxy/config'

async function importModule(file: string): Promise<{ readonly default?: unknown }> {
  const path = resolve(file)
  // Resolved before there is a hook, which would be asked as well.
  const url = typedUrl()
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === TYPED ? { url, shortCircuit: true } : next(specifier, context),
  })
  try {
    return (await import(pathToFileURL(path).href + versionOf(path))) as { default?: unknown }
  } catch (error) {
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
    const [, after = ''] = stack.split(`${path}:`, 2)
    const line = /^\d+/.exec(after)?.[0]
    const place = line === undefined ? file : `${file}:${line}`
    throw new UsageError(`${place}: the configuration cannot be loaded: ${message.split('\n', 1)[0]}`)
  } finally {
    hooks.deregister()
  }
}

/**
 * A program that is one file has nothing beside it: there the only thing to import does what it does in the package. What
 * `install-hydra` installs is a bundle in a folder of the package's name, where a path is found that nothing is at.
 */
function typedUrl(): string {
  try {
    const url = import.meta.resolve(TYPED)
    if (existsSync(fileURLToPath(url))) return url
  } catch {
    // There is no such package.
  }
  return 'data:text/javascript,export const defineConfig = (config) => config'
}

const timesLoaded = new Map<string, number>()

/** A module is loaded once under a name, so a file that has changed needs another one. */
function versionOf(path: string): string {
  const times = timesLoaded.get(path) ?? 0
  timesLoaded.set(path, times + 1)
  return times === 0 ? '' : `?version=${times}`
}

/**
 * A value of a running program has no line, but its key is often in one line of the file only.
 * Where it is not, no line is better than a wrong one.
 */
function lineIn(text: string, path: ConfigPath): string {
  const key = path.findLast((part) => typeof part === 'string')
  if (key === undefined) return ''
  const lines = text.split('\n').flatMap((line, index) => (keysIn(line).includes(key) ? [index + 1] : []))
  return lines.length === 1 ? `:${lines[0]}` : ''
}

function keysIn(line: string): string[] {
  return [...line.matchAll(/([\w$-]+)['"]?\s*:/g)].map(([, key = '']) => key)
}
