import { wellFormed } from '../../encode/well-formed.ts'
import { invalidRequest } from '../../hub/error.ts'
import type { HubBlock, HubResultContent, HubToolResult } from '../../hub/request.ts'
import type { Encoding } from './encoding.ts'
import type { InputPart, OutputPart } from './wire.ts'

type Block<Type extends HubBlock['type']> = Extract<HubBlock, { type: Type }>
type PlainBlock = Exclude<HubBlock, { type: 'tool_use' | 'tool_result' | 'thinking' | 'redacted_thinking' }>

/** How results that are errors begin when they already say so themselves. */
const SAYS_ERROR = /^\s*(?:<tool_use_error>|\[?error\b|exit code [1-9]|traceback\b|exception\b|failed\b)/i

/** A text part. */
export function textPart(text: string): InputPart {
  return { type: 'input_text', text }
}

/** A block of a turn as a part of a message; `undefined` when there is nothing to say. */
export function encodeBlock(block: PlainBlock, path: string, encoding: Encoding): InputPart | undefined {
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

const UNTOLD: ReadonlySet<string> = new Set(['type', 'encrypted_content', 'cache_control', 'caller'])

/** What server tools did in earlier turns is told in words: the items that tell it otherwise need their maker's ids. */
function encodeServerBlock(block: PlainBlock, path: string, { notes }: Encoding): InputPart | undefined {
  if (!/^(server_tool_use|mcp_tool_use|.*_tool_result)$/.test(block.type)) {
    notes.add('block_dropped', path, `a block of the type ${block.type} has no equivalent`)
    return undefined
  }
  notes.add('server_block_as_text', path, `a block of the type ${block.type} was turned into text`)
  const told = JSON.stringify(block, (key, value: unknown) => (UNTOLD.has(key) ? undefined : value))
  return textPart(`[${block.type}] ${told}`)
}

function encodeImage({ source }: Block<'image'>, path: string, { profile, notes }: Encoding): InputPart {
  if (source.type === 'file') {
    const message = 'expected an image by base64 or url, got a file id that only Anthropic can resolve'
    throw invalidRequest(`${path}.source.file_id`, message)
  }
  if (!profile.takesImages) return leftOut('image', path, notes)
  const url = source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`
  return { type: 'input_image', image_url: url, detail: 'auto' }
}

function encodeDocument(block: Block<'document'>, path: string, encoding: Encoding): InputPart {
  const { source, title, context } = block
  const { notes } = encoding
  const heading = [title, context].filter((line) => typeof line === 'string' && line !== '')
  switch (source.type) {
    case 'text':
      return textPart(wellFormed([...heading, source.data].join('\n'), path, notes))
    case 'content':
      return textPart(
        wellFormed([...heading, contentText(source.content, path, encoding)].join('\n'), path, notes),
      )
    case 'base64':
    case 'url':
      return encodeFile(block, path, encoding)
    case 'file': {
      const message = 'expected a document by base64 or url, got a file id that only Anthropic can resolve'
      throw invalidRequest(`${path}.source.file_id`, message)
    }
  }
}

function encodeFile(
  { source, title, context }: Block<'document'>,
  path: string,
  { profile, notes }: Encoding,
): InputPart {
  if (!profile.takesDocuments) return leftOut('document', path, notes)
  if (context) notes.add('document_context_dropped', `${path}.context`, 'a file has no place for it')
  if (source.type === 'url') {
    if (title)
      notes.add('document_title_dropped', `${path}.title`, 'a file by its address has no place for it')
    return { type: 'input_file', file_url: source.url }
  }
  const filename = wellFormed(title || 'document.pdf', `${path}.title`, notes)
  const data = source.type === 'base64' ? source.data : ''
  return { type: 'input_file', filename, file_data: `data:application/pdf;base64,${data}` }
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
function leftOut(kind: string, path: string, notes: Encoding['notes']): InputPart {
  notes.add(`${kind}_dropped`, path, `this upstream takes no ${kind}s`)
  return textPart(`[${kind} left out: this model takes no ${kind}s]`)
}

/** The output of a call: words alone as a string, which every server takes; parts only where there is media. */
export function encodeResult(result: HubToolResult, path: string, encoding: Encoding): string | OutputPart[] {
  noteAnnotations(result, path, encoding)
  const parts = resultParts(result, path, encoding)
  const texts = parts.flatMap((part) => (part.type === 'input_text' ? [part.text] : []))
  if (texts.length === parts.length) return wordsOf(texts.join('\n'), result, encoding)
  return result.is_error && !SAYS_ERROR.test(texts.join('\n')) ? [textPart('Error:'), ...parts] : parts
}

function resultParts({ content }: HubToolResult, path: string, encoding: Encoding): InputPart[] {
  if (typeof content === 'string') {
    return [textPart(wellFormed(content, `${path}.content`, encoding.notes))]
  }
  return (content ?? []).flatMap((block, index) => {
    const part = resultPart(block, `${path}.content[${index}]`, encoding)
    return part === undefined ? [] : [part]
  })
}

function resultPart(block: HubResultContent, path: string, encoding: Encoding): InputPart | undefined {
  switch (block.type) {
    case 'text':
    case 'image':
    case 'document':
    case 'search_result':
      return encodeBlock(block, path, encoding)
    case 'tool_reference':
      encoding.referencedTools.add(block.tool_name)
      return textPart(`Tool ${encoding.names.toWire(block.tool_name)} is now available.`)
    default:
      // The browser's state today, and whatever results may hold tomorrow.
      encoding.notes.add(
        'result_block_as_text',
        path,
        `a block of the type ${block.type} was turned into text`,
      )
      return textPart(JSON.stringify(block))
  }
}

function wordsOf(text: string, result: HubToolResult, { profile }: Encoding): string {
  if (text === '') return result.is_error ? 'Error: the tool failed without a message' : profile.emptyResult
  return result.is_error && !SAYS_ERROR.test(text) ? `Error: ${text}` : text
}

function searchResultText(block: Block<'search_result'>, path: string, { notes }: Encoding): string {
  const lines = [block.title, block.source, ...block.content.map((part) => part.text)]
  return wellFormed(lines.join('\n'), path, notes)
}

function summaryText(summary: string, path: string, { notes }: Encoding): string {
  return `[Summary of the conversation so far]\n${wellFormed(summary, `${path}.content`, notes)}`
}

/** Marks that mean nothing to the upstream: one note tells for all of them. */
export function noteAnnotations(block: object, path: string, { notes }: Encoding): void {
  const { cache_control, citations } = block as { cache_control?: unknown; citations?: unknown }
  if (cache_control)
    notes.addOnce('cache_control_dropped', `${path}.cache_control`, 'the upstream caches by itself')
  if (citations)
    notes.addOnce('citations_dropped', `${path}.citations`, 'the upstream takes no citations back')
}
