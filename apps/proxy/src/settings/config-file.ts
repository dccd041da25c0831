import { access, readFile } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { homedir } from 'node:os'
import { extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Environment, UsageError } from '@hydra/cli'
import {
  findNodeAtLocation,
  type Node,
  type ParseError,
  type ParseErrorCode,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import { checkConfig, type ConfigPath, type ConfigSource, shownPath } from './check-config.ts'
import type { Config } from './config.ts'

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
  const text = await readText(file)
  const source = await (extname(file) === '.json' ? jsonSource(file, text) : moduleSource(file, text))
  return {
    file,
    config: checkConfig(source),
    fault: (path, message) => new UsageError(`${source.place(path)}: ${shownPath(path)}: ${message}`),
  }
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

/** What is wrong with JSON, in words. */
const JSON_FAULTS: Readonly<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  InvalidSymbol: 'expected JSON: keys and strings are in double quotes, and words are true, false or null',
  InvalidNumberFormat: 'a number is not written as JSON has it',
  PropertyNameExpected: 'expected the name of a key, in double quotes',
  ValueExpected: 'expected a value',
  ColonExpected: 'expected a colon after the key',
  CommaExpected: 'expected a comma before this',
  CloseBraceExpected: 'a { is not closed: expected }',
  CloseBracketExpected: 'a [ is not closed: expected ]',
  EndOfFileExpected: 'expected the end of the file, got more after the configuration',
  InvalidCommentToken: 'a comment begins with // or /*',
  UnexpectedEndOfComment: 'a comment is not closed: expected */',
  UnexpectedEndOfString: 'a string is not closed: expected "',
  UnexpectedEndOfNumber: 'a number is not finished',
  InvalidUnicode: String.raw`expected four hexadecimal digits after \u`,
  InvalidEscapeCharacter: String.raw`after \ only " \ / b f n r t u can come`,
  InvalidCharacter: 'a control character in a string must be escaped',
  '<unknown ParseErrorCode>': 'it is no JSON',
}

/** JSON; comments and trailing commas are welcome. */
function jsonSource(file: string, text: string): ConfigSource {
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (tree === undefined || first !== undefined) {
    throw new UsageError(
      `${file}:${lineOf(text, first?.offset ?? 0)}: not JSON: ${faultOfJson(first?.error)}`,
    )
  }
  const at = (node: Node): string => `${file}:${lineOf(text, node.offset)}`
  return { value: valueOf(tree, at), place: (path) => at(nodeAt(tree, path)) }
}

function faultOfJson(code: ParseErrorCode | undefined): string {
  return code === undefined ? 'it is empty' : JSON_FAULTS[printParseErrorCode(code)]
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** The node of a path, or of as much of it as there is; of a property its key, which people look for. */
function nodeAt(tree: Node, path: ConfigPath): Node {
  const node = findNodeAtLocation(tree, [...path])
  if (node === undefined) return nodeAt(tree, path.slice(0, -1))
  return node.parent?.type === 'property' ? node.parent : node
}

function valueOf(node: Node, at: (node: Node) => string): unknown {
  switch (node.type) {
    case 'object':
      return objectOf(node.children ?? [], at)
    case 'array':
      return (node.children ?? []).map((item) => valueOf(item, at))
    default:
      return node.value as unknown
  }
}

function objectOf(properties: readonly Node[], at: (node: Node) => string): object {
  const entries = new Map<string, unknown>()
  for (const property of properties) {
    const [key, value] = property.children ?? []
    const name = String(key?.value)
    // Of two equal keys one would win silently.
    if (entries.has(name)) throw new UsageError(`${at(property)}: the key '${name}' is there twice`)
    if (value !== undefined) entries.set(name, valueOf(value, at))
  }
  return Object.fromEntries(entries)
}

/** A module: its default export. */
async function moduleSource(file: string, text: string): Promise<ConfigSource> {
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
  const url = import.meta.resolve(TYPED)
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === TYPED ? { url, shortCircuit: true } : next(specifier, context),
  })
  try {
    return (await import(pathToFileURL(path).href)) as { default?: unknown }
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
