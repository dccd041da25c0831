import { readFile } from 'node:fs/promises'
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { UsageError } from '../cli/usage-error.ts'
import type { ConfigPath, ConfigSource } from './config-source.ts'

/** Reads a configuration in JSON; comments and trailing commas are welcome. */
export async function readJsonSource(file: string): Promise<ConfigSource> {
  const text = await readText(file)
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (tree === undefined || first !== undefined) {
    const reason = first === undefined ? 'it is empty' : printParseErrorCode(first.error)
    throw new UsageError(`${file}:${lineOf(text, first?.offset ?? 0)}: not JSON (${reason})`)
  }
  const at = (node: Node): string => `${file}:${lineOf(text, node.offset)}`
  return {
    value: valueOf(tree, at),
    place: (path) => at(nodeAt(tree, path)),
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    throw new UsageError(`${file}: the configuration cannot be read`)
  }
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
    // Of two equal keys one would win without a word.
    if (entries.has(name)) throw new UsageError(`${at(property)}: the key '${name}' is there twice`)
    if (value !== undefined) entries.set(name, valueOf(value, at))
  }
  return Object.fromEntries(entries)
}
