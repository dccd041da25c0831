import {
  expectArray,
  expectObject,
  expectOptional,
  expectShallowObject,
  expectString,
  expectText,
  unexpected,
  unexpectedValue,
} from '../../json/expect.ts'
import { UNSIGNED } from '../../identity/envelope.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { mapChanged } from '../../json/map-changed.ts'
import { withField } from '../../json/with-field.ts'
import { decodeTool } from './decode-tools.ts'

/** Where a block is, which decides what it may be. */
export type Place = 'user' | 'assistant' | 'system' | 'tool_result' | 'document'

type BlockDecoder = (block: JsonObject, path: string) => JsonObject

const PLACES: Readonly<Record<Place, { readonly name: string; readonly refused: readonly string[] }>> = {
  user: { name: 'a user turn', refused: ['tool_use'] },
  assistant: { name: 'an assistant turn', refused: ['tool_result'] },
  system: { name: 'a system turn', refused: ['tool_use', 'tool_result'] },
  tool_result: { name: 'a tool result', refused: ['tool_use', 'tool_result'] },
  document: { name: 'a document', refused: ['tool_use', 'tool_result', 'document'] },
}

const BLOCKS: ReadonlyMap<string, BlockDecoder> = new Map<string, BlockDecoder>([
  ['text', decodeText],
  ['image', decodeImage],
  ['document', decodeDocument],
  ['search_result', decodeSearchResult],
  ['thinking', decodeThinking],
  ['redacted_thinking', decodeRedactedThinking],
  ['tool_use', decodeToolUse],
  ['server_tool_use', decodeToolUse],
  ['mcp_tool_use', decodeToolUse],
  ['tool_result', decodeToolResult],
  ['tool_reference', decodeToolReference],
  ['tool_addition', decodeToolChange],
  ['tool_removal', decodeToolChange],
  ['compaction', decodeCompaction],
])

const IMAGE_SOURCES: ReadonlyMap<string, readonly string[]> = new Map([
  ['base64', ['media_type', 'data']],
  ['url', ['url']],
  ['file', ['file_id']],
])

const DOCUMENT_SOURCES: ReadonlyMap<string, readonly string[]> = new Map([
  ...IMAGE_SOURCES,
  ['text', ['data']],
  ['content', []],
])

/** Content that is a string or a list of blocks; blocks of unknown types pass, for the encoder to deal with. */
export function decodeContent(
  content: unknown,
  { place, path }: { readonly place: Place; readonly path: string },
): unknown {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) throw unexpected(path, 'string or array', content)
  return mapChanged(content, (block, index) => decodeBlock(block, place, `${path}[${index}]`))
}

/** Content that is a string or a list of nothing but text blocks. */
export function decodeTextContent(content: unknown, path: string): unknown {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) throw unexpected(path, 'string or array', content)
  checkTextBlocks(content, path)
  return content
}

function decodeBlock(value: unknown, place: Place, path: string): JsonObject {
  const block = expectObject(value, path)
  const type = expectText(block, 'type', path)
  if (PLACES[place].refused.includes(type)) {
    throw unexpectedValue(`${path}.type`, `a block that ${PLACES[place].name} may hold`, type)
  }
  const decode = BLOCKS.get(type)
  // Unknown blocks may be written out again as text.
  return decode === undefined ? expectShallowObject(block, path) : decode(block, path)
}

function checkTextBlocks(blocks: readonly unknown[], path: string): void {
  for (let index = 0; index < blocks.length; index++) {
    const at = `${path}[${index}]`
    const block = expectObject(blocks[index], at)
    if (block.type !== 'text') throw unexpectedValue(`${at}.type`, '"text"', block.type)
    expectString(block, 'text', at)
  }
}

function decodeText(block: JsonObject, path: string): JsonObject {
  expectString(block, 'text', path)
  return block
}

function decodeImage(block: JsonObject, path: string): JsonObject {
  checkSource(block.source, IMAGE_SOURCES, `${path}.source`)
  return block
}

function decodeDocument(block: JsonObject, path: string): JsonObject {
  expectOptional(block, 'title', { type: 'string', path })
  expectOptional(block, 'context', { type: 'string', path })
  const source = checkSource(block.source, DOCUMENT_SOURCES, `${path}.source`)
  if (source.type !== 'content') return block
  const content = decodeContent(source.content, { place: 'document', path: `${path}.source.content` })
  return withField(block, 'source', withField(source, 'content', content))
}

function checkSource(
  value: unknown,
  known: ReadonlyMap<string, readonly string[]>,
  path: string,
): JsonObject {
  const source = expectObject(value, path)
  const type = expectText(source, 'type', path)
  const fields = known.get(type)
  if (fields === undefined)
    throw unexpectedValue(`${path}.type`, `one of ${[...known.keys()].join(', ')}`, type)
  for (const field of fields) expectString(source, field, path)
  return source
}

function decodeSearchResult(block: JsonObject, path: string): JsonObject {
  expectString(block, 'source', path)
  expectString(block, 'title', path)
  checkTextBlocks(expectArray(block.content, `${path}.content`), `${path}.content`)
  return block
}

// Clients that talk to other models too do not always keep the signature.
function decodeThinking(block: JsonObject, path: string): JsonObject {
  expectString(block, 'thinking', path)
  expectOptional(block, 'signature', { type: 'string', path })
  const { signature = '' } = block
  return withField(block, 'signature', signature === UNSIGNED ? '' : (signature ?? ''))
}

function decodeRedactedThinking(block: JsonObject, path: string): JsonObject {
  expectString(block, 'data', path)
  return block
}

function decodeToolUse(block: JsonObject, path: string): JsonObject {
  expectText(block, 'id', path)
  expectText(block, 'name', path)
  const { input } = block
  if (input === undefined || input === null) return withField(block, 'input', undefined)
  expectShallowObject(input, `${path}.input`)
  return block
}

function decodeToolResult(block: JsonObject, path: string): JsonObject {
  expectText(block, 'tool_use_id', path)
  expectOptional(block, 'is_error', { type: 'boolean', path })
  const result = block.is_error === null ? withField(block, 'is_error', undefined) : block
  if (result.content === undefined || result.content === null) return withField(result, 'content', undefined)
  const content = decodeContent(result.content, { place: 'tool_result', path: `${path}.content` })
  return withField(result, 'content', content)
}

function decodeToolReference(block: JsonObject, path: string): JsonObject {
  expectText(block, 'tool_name', path)
  return block
}

function decodeToolChange(block: JsonObject, path: string): JsonObject {
  const tool = expectObject(block.tool, `${path}.tool`)
  const type = expectText(tool, 'type', `${path}.tool`)
  if (type === 'tool_reference') expectText(tool, 'name', `${path}.tool`)
  if (type !== 'tool_definition') return block
  const definition = decodeTool(tool.definition, `${path}.tool.definition`)
  return withField(block, 'tool', withField(tool, 'definition', definition))
}

function decodeCompaction(block: JsonObject, path: string): JsonObject {
  expectOptional(block, 'content', { type: 'string', path })
  return block
}
