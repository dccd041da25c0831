import { invalidRequest } from '../../hub/error.ts'
import type { HubBlock, HubResultContent, HubToolResult } from '../../hub/request.ts'
import { type Encoding, noteAnnotations, wellFormed } from './encoding.ts'
import type { QImage, QToolResult } from './wire.ts'

type Block<Type extends HubBlock['type']> = Extract<HubBlock, { type: Type }>
type PlainBlock = Exclude<HubBlock, { type: 'tool_use' | 'tool_result' | 'thinking' | 'redacted_thinking' }>

/** What a block says: words, a picture, or nothing. */
export type Piece = { readonly text: string } | { readonly image: QImage }

/** Pictures that the format knows, by their media types. */
const FORMAT_OF_TYPE: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
])

/** A block of a turn as a piece of a message; `undefined` when there is nothing to say. */
export function encodeBlock(block: PlainBlock, path: string, encoding: Encoding): Piece | undefined {
  noteAnnotations(block, path, encoding)
  switch (block.type) {
    case 'text':
      return block.text === '' ? undefined : { text: wellFormed(block.text, `${path}.text`, encoding) }
    case 'image':
      return encodeImage(block, path, encoding)
    case 'document':
      return { text: documentText(block, path, encoding) }
    case 'search_result':
      return { text: searchResultText(block, path, encoding) }
    case 'compaction':
      return block.content ? { text: summaryText(block.content, path, encoding) } : undefined
    default:
      return encodeServerBlock(block, path, encoding)
  }
}

const UNTOLD: ReadonlySet<string> = new Set(['type', 'encrypted_content', 'cache_control', 'caller'])

/** What server tools did in earlier turns is told in words: the upstream never had these tools. */
function encodeServerBlock(block: PlainBlock, path: string, { notes }: Encoding): Piece | undefined {
  if (!/^(server_tool_use|mcp_tool_use|.*_tool_result)$/.test(block.type)) {
    notes.add('block_dropped', path, `a block of the type ${block.type} has no equivalent`)
    return undefined
  }
  notes.add('server_block_as_text', path, `a block of the type ${block.type} was turned into text`)
  const told = JSON.stringify(block, (key, value: unknown) => (UNTOLD.has(key) ? undefined : value))
  return { text: `[${block.type}] ${told}` }
}

function encodeImage({ source }: Block<'image'>, path: string, encoding: Encoding): Piece {
  if (source.type === 'file') {
    throw invalidRequest(
      `${path}.source.file_id`,
      'expected an image by base64, got a file id that only Anthropic can resolve',
    )
  }
  if (!encoding.profile.takesImages) return { text: leftOut('image', path, encoding) }
  const format = source.type === 'base64' ? FORMAT_OF_TYPE.get(source.media_type) : undefined
  if (source.type !== 'base64' || format === undefined) return { text: leftOut('image', path, encoding) }
  return { image: { format, source: { bytes: source.data } } }
}

function documentText(block: Block<'document'>, path: string, encoding: Encoding): string {
  const { source, title, context } = block
  switch (source.type) {
    case 'text':
      return withHeading([title, context], source.data, { path, encoding })
    case 'content':
      return withHeading([title, context], contentText(source.content, path, encoding), { path, encoding })
    case 'base64':
      return withHeading([title, context], leftOut('document', path, encoding), { path, encoding })
    case 'url':
    case 'file':
      throw invalidRequest(`${path}.source`, `expected a document with its data, got one by ${source.type}`)
  }
}

function withHeading(
  heading: readonly (string | null | undefined)[],
  text: string,
  { path, encoding }: { readonly path: string; readonly encoding: Encoding },
): string {
  const lines = [...heading, text].filter((line) => typeof line === 'string' && line !== '')
  return wellFormed(lines.join('\n'), path, encoding)
}

type SourceContent = Extract<Block<'document'>['source'], { type: 'content' }>['content']

function contentText(content: SourceContent, path: string, encoding: Encoding): string {
  if (typeof content === 'string') return content
  return content
    .map((part) => (part.type === 'text' ? part.text : leftOut('image', `${path}.source.content`, encoding)))
    .join('\n')
}

/** A stand-in for what the format cannot carry, so that the model knows that something was there. */
function leftOut(kind: 'image' | 'document', path: string, { notes }: Encoding): string {
  const taken = kind === 'image' ? 'images only by their data, as PNG, JPEG, GIF or WebP' : 'no documents'
  notes.add(`${kind}_dropped`, path, `this upstream takes ${taken}`)
  return `[${kind} left out: this model takes ${taken}]`
}

function searchResultText(block: Block<'search_result'>, path: string, encoding: Encoding): string {
  const lines = [block.title, block.source, ...block.content.map((part) => part.text)]
  return wellFormed(lines.join('\n'), path, encoding)
}

function summaryText(summary: string, path: string, encoding: Encoding): string {
  return `[Summary of the conversation so far]\n${wellFormed(summary, `${path}.content`, encoding)}`
}

/** A result, and the pictures in it, which only the message around it can carry. */
export interface EncodedResult {
  readonly result: QToolResult
  readonly images: readonly QImage[]
}

/** The result of a call in the upstream's form. */
export function encodeResult(block: HubToolResult, path: string, encoding: Encoding): EncodedResult {
  noteAnnotations(block, path, encoding)
  const { texts, images } = resultPieces(block, path, encoding)
  if (images.length > 0) {
    encoding.notes.add('result_media_moved', path, 'its images stand in the message around it')
    texts.push(`[${images.length} image(s), among the images of this message]`)
  }
  const text = texts.join('\n')
  const isError = block.is_error === true
  return {
    result: {
      toolUseId: encoding.wireIds.toWire(block.tool_use_id),
      content: [{ text: text === '' ? wordsForNothing(isError, encoding) : text }],
      status: isError ? 'error' : 'success',
    },
    images,
  }
}

/** An empty result must not look like one that is still to come. */
function wordsForNothing(isError: boolean, { profile }: Encoding): string {
  if (isError) return 'The tool failed without a message.'
  return profile.emptyResult === '' ? '(no output)' : profile.emptyResult
}

function resultPieces(
  { content }: HubToolResult,
  path: string,
  encoding: Encoding,
): { texts: string[]; images: QImage[] } {
  if (typeof content === 'string') {
    return { texts: [wellFormed(content, `${path}.content`, encoding)], images: [] }
  }
  const texts: string[] = []
  const images: QImage[] = []
  for (const [index, block] of (content ?? []).entries()) {
    const piece = resultPiece(block, `${path}.content[${index}]`, encoding)
    if (piece === undefined) continue
    if ('image' in piece) images.push(piece.image)
    else texts.push(piece.text)
  }
  return { texts, images }
}

function resultPiece(block: HubResultContent, path: string, encoding: Encoding): Piece | undefined {
  switch (block.type) {
    case 'text':
    case 'image':
    case 'document':
    case 'search_result':
      return encodeBlock(block, path, encoding)
    case 'tool_reference':
      return { text: `Tool ${encoding.names.toWire(block.tool_name)} is now available.` }
    default:
      // The browser's state today, and whatever results may hold tomorrow.
      encoding.notes.add(
        'result_block_as_text',
        path,
        `a block of the type ${block.type} was turned into text`,
      )
      return { text: JSON.stringify(block) }
  }
}
