import { invalidRequest } from '../../hub/error.ts'
import type { HubBlock, HubResultContent } from '../../hub/request.ts'
import { type Encoding, wellFormed } from './encoding.ts'
import type { ChatPart } from './wire.ts'

type Block<Type extends HubBlock['type']> = Extract<HubBlock, { type: Type }>
type Media = Block<'image' | 'document'>
type PlainBlock = Exclude<HubBlock, { type: 'tool_use' | 'tool_result' | 'thinking' | 'redacted_thinking' }>

/** A text part. */
export function textPart(text: string): ChatPart {
  return { type: 'text', text }
}

/** Whether a block is a picture or a document. */
export function isMedia(block: HubBlock | HubResultContent): block is Media {
  return block.type === 'image' || block.type === 'document'
}

/** A block of a turn as a part of a message; `undefined` when there is nothing to say. */
export function encodeBlock(block: PlainBlock, path: string, encoding: Encoding): ChatPart | undefined {
  noteAnnotations(block, path, encoding)
  switch (block.type) {
    case 'text':
      return block.text === '' ? undefined : textPart(wellFormed(block.text, `${path}.text`, encoding.notes))
    case 'image':
      return encodeImage(block, path, encoding)
    case 'document':
      return encodeDocument(block, path, encoding)
    case 'search_result':
      return textPart(searchResultText(block, path, encoding))
    case 'compaction':
      return block.content ? textPart(summaryText(block.content, path, encoding)) : undefined
    default:
      return encodeServerBlock(block, path, encoding)
  }
}

/** What server tools did in earlier turns is told in words: the upstream never had these tools. */
function encodeServerBlock(block: PlainBlock, path: string, { notes }: Encoding): ChatPart | undefined {
  if (!/^(server_tool_use|mcp_tool_use|.*_tool_result)$/.test(block.type)) {
    notes.add('block_dropped', path, `a block of the type ${block.type} has no equivalent`)
    return undefined
  }
  notes.add('server_block_as_text', path, `a block of the type ${block.type} was turned into text`)
  const told = JSON.stringify(block, (key, value: unknown) => (UNTOLD.has(key) ? undefined : value))
  return textPart(`[${block.type}] ${told}`)
}

const UNTOLD: ReadonlySet<string> = new Set(['type', 'encrypted_content', 'cache_control', 'caller'])

function encodeImage(block: Block<'image'>, path: string, { profile, notes }: Encoding): ChatPart {
  const { source } = block
  if (source.type === 'file') {
    throw invalidRequest(
      `${path}.source.file_id`,
      'expected an image by base64 or url, got a file id that only Anthropic can resolve',
    )
  }
  if (!profile.takesImages) return leftOut('image', path, notes)
  const url = source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`
  return { type: 'image_url', image_url: { url } }
}

function encodeDocument(block: Block<'document'>, path: string, encoding: Encoding): ChatPart {
  const { source, title, context } = block
  const heading = [title, context].filter((line) => typeof line === 'string' && line !== '').join('\n')
  switch (source.type) {
    case 'text':
      return textPart(wellFormed(joinLines(heading, source.data), path, encoding.notes))
    case 'content': {
      const text = contentText(source.content, path, encoding)
      return textPart(wellFormed(joinLines(heading, text), path, encoding.notes))
    }
    case 'base64':
      return encodePdf(source.data, block, { path, encoding })
    case 'url':
    case 'file':
      throw invalidRequest(`${path}.source`, `expected a document with its data, got one by ${source.type}`)
  }
}

function encodePdf(
  data: string,
  { title, context }: Block<'document'>,
  { path, encoding: { profile, notes } }: { path: string; encoding: Encoding },
): ChatPart {
  if (!profile.takesDocuments) return leftOut('document', path, notes)
  if (context) notes.add('document_context_dropped', `${path}.context`, 'a file has no place for it')
  const filename = wellFormed(title || 'document.pdf', `${path}.title`, notes)
  return { type: 'file', file: { filename, file_data: `data:application/pdf;base64,${data}` } }
}

type SourceContent = Extract<Block<'document'>['source'], { type: 'content' }>['content']

function contentText(content: SourceContent, path: string, { notes }: Encoding): string {
  if (typeof content === 'string') return content
  return content
    .map((part) => {
      if (part.type === 'text') return part.text
      leftOut('image', `${path}.source.content`, notes)
      return '[image left out]'
    })
    .join('\n')
}

/** A stand-in for what the upstream cannot take, so that the model knows that something was there. */
function leftOut(kind: string, path: string, notes: Encoding['notes']): ChatPart {
  notes.add(`${kind}_dropped`, path, `this upstream takes no ${kind}s`)
  return textPart(`[${kind} left out: this model takes no ${kind}s]`)
}

/** The text of a piece of a tool result. */
export function resultText(
  block: Exclude<HubResultContent, Media>,
  path: string,
  encoding: Encoding,
): string {
  noteAnnotations(block, path, encoding)
  switch (block.type) {
    case 'text':
      return wellFormed(block.text, `${path}.text`, encoding.notes)
    case 'search_result':
      return searchResultText(block, path, encoding)
    case 'tool_reference':
      encoding.referencedTools.add(block.tool_name)
      return `Tool ${encoding.names.toWire(block.tool_name)} is now available.`
    default:
      // The browser's state today, and whatever results may hold tomorrow.
      encoding.notes.add(
        'result_block_as_text',
        path,
        `a block of the type ${block.type} was turned into text`,
      )
      return JSON.stringify(block)
  }
}

function searchResultText(block: Block<'search_result'>, path: string, { notes }: Encoding): string {
  const lines = [block.title, block.source, ...block.content.map((part) => part.text)]
  return wellFormed(lines.join('\n'), path, notes)
}

function summaryText(summary: string, path: string, { notes }: Encoding): string {
  return `[Summary of the conversation so far]\n${wellFormed(summary, `${path}.content`, notes)}`
}

function joinLines(first: string, second: string): string {
  return first === '' ? second : `${first}\n${second}`
}

/** Marks that mean nothing to the upstream: one note tells for all of them. */
export function noteAnnotations(block: object, path: string, { notes }: Encoding): void {
  const { cache_control, citations } = block as { cache_control?: unknown; citations?: unknown }
  if (cache_control)
    notes.addOnce('cache_control_dropped', `${path}.cache_control`, 'the upstream caches by itself')
  if (citations) notes.addOnce('citations_dropped', `${path}.citations`, 'the upstream knows no citations')
}
