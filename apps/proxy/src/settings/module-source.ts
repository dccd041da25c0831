import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UsageError } from '../cli/usage-error.ts'
import type { ConfigPath, ConfigSource } from './config-source.ts'

/** Reads a configuration that is a module: its default export. */
export async function readModuleSource(file: string): Promise<ConfigSource> {
  const text = await readText(file)
  const { default: value } = await load(file)
  if (value === undefined) {
    throw new UsageError(`${file}: expected a default export with the configuration`)
  }
  return { value, place: (path) => `${file}${lineIn(text, path)}` }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    throw new UsageError(`${file}: the configuration cannot be read`)
  }
}

async function load(file: string): Promise<{ readonly default?: unknown }> {
  const path = resolve(file)
  try {
    return (await import(pathToFileURL(path).href)) as { default?: unknown }
  } catch (error) {
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
    const [, after = ''] = stack.split(`${path}:`, 2)
    const line = /^\d+/.exec(after)?.[0]
    const place = line === undefined ? file : `${file}:${line}`
    throw new UsageError(`${place}: the configuration cannot be loaded: ${message.split('\n', 1)[0]}`)
  }
}

/**
 * A value of a running program has no line, but its key often stands in one line of the file only.
 * Where it does not, no line is better than a wrong one.
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
