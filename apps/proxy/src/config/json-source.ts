import { UsageError } from '@hydra/cli'
import {
  findNodeAtLocation,
  type Node,
  type ParseError,
  type ParseErrorCode,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import type { ConfigPath, ConfigSource } from './check-config.ts'

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

/** A configuration in JSON; comments and trailing commas are welcome. */
export function jsonSource(file: string, text: string): ConfigSource {
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
