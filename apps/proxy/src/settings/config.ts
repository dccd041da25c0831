import { access, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Ajv, type ErrorObject } from 'ajv'
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { Limits, Retries, Route, Timeouts } from '@hydra/gateway'
import { UsageError } from '../cli/usage-error.ts'
import type { Environment } from './environment.ts'
import schema from '../../hydra.schema.json' with { type: 'json' }

/** An upstream as the configuration writes it. */
export interface ConfiguredUpstream {
  readonly dialect?: 'openai-chat' | 'anthropic'
  readonly url?: string
  /** `env:NAME`: where the key is; never the key itself. */
  readonly key?: string
  readonly profile?: string
  readonly overrides?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** The configuration file. */
export interface Config {
  readonly port?: number
  readonly host?: string
  readonly workers?: number
  readonly key?: string
  readonly upstreams?: Readonly<Record<string, ConfiguredUpstream>>
  readonly routes?: readonly (Omit<Route, 'name'> & { readonly name?: string })[]
  readonly models?: readonly string[]
  readonly timeouts?: Partial<Timeouts>
  readonly retries?: Partial<Retries>
  readonly limits?: Partial<Limits>
}

const NAMES = ['hydra.config.json', 'hydra.config.ts']

/** The configuration in the user's own folder, if there is one. The working directory is never searched. */
export async function findConfig(env: Environment): Promise<string | undefined> {
  const folder = join(env['XDG_CONFIG_HOME'] ?? join(env['HOME'] ?? homedir(), '.config'), 'hydra')
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
export async function loadConfig(file: string): Promise<Config> {
  return extname(file) === '.json' ? loadJson(file) : loadModule(file)
}

async function loadJson(file: string): Promise<Config> {
  const text = await readText(file)
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (tree === undefined || first !== undefined) {
    const at = lineOf(text, first?.offset ?? 0)
    throw new UsageError(
      `${file}:${at}: not JSON (${first === undefined ? 'empty' : printParseErrorCode(first.error)})`,
    )
  }
  return checked(valueOf(tree), (fault) => `${file}:${lineOf(text, offsetOf(tree, fault))}`)
}

async function loadModule(file: string): Promise<Config> {
  const module = (await import(pathToFileURL(resolve(file)).href)) as { default?: unknown }
  if (module.default === undefined)
    throw new UsageError(`${file}: expected a default export with the configuration`)
  return checked(module.default, () => file)
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    throw new UsageError(`${file}: the configuration cannot be read`)
  }
}

const validate = new Ajv({ allErrors: true, strict: true }).compile(schema)

function checked(value: unknown, place: (fault: ErrorObject) => string): Config {
  if (validate(value)) return value as Config
  const faults = (validate.errors ?? []).map((fault) => `${place(fault)}: ${describe(fault)}`)
  throw new UsageError([...new Set(faults)].join('\n'))
}

function describe({ instancePath, keyword, params, message }: ErrorObject): string {
  const path = instancePath.slice(1).replaceAll('/', '.') || 'the configuration'
  if (keyword === 'additionalProperties')
    return `${path}: unknown key '${String(params['additionalProperty'])}'`
  if (keyword === 'enum')
    return `${path}: expected one of ${(params['allowedValues'] as string[]).join(', ')}`
  return `${path}: ${message ?? keyword}`
}

function offsetOf(tree: Node, { instancePath, keyword, params }: ErrorObject): number {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')))
  const unknown = keyword === 'additionalProperties' ? [String(params['additionalProperty'])] : []
  const node = findNodeAtLocation(tree, [...path, ...unknown]) ?? findNodeAtLocation(tree, path)
  return node?.offset ?? tree.offset
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

function valueOf(node: Node): unknown {
  switch (node.type) {
    case 'object':
      return Object.fromEntries((node.children ?? []).map(({ children }) => entryOf(children)))
    case 'array':
      return (node.children ?? []).map(valueOf)
    default:
      return node.value as unknown
  }
}

function entryOf(children: readonly Node[] | undefined): [string, unknown] {
  const [key, value] = children ?? []
  return [String(key?.value), value === undefined ? undefined : valueOf(value)]
}
