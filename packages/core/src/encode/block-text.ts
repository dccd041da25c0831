import { type HubError, invalidRequest } from '../hub/error.ts'
import { originOf } from '../hub/origin.ts'
import type { HubBlock, HubResultContent } from '../hub/request.ts'
import type { Encoding } from './encoding.ts'
import { noteAnnotations, wellFormed } from './words.ts'

type Block<Type extends HubBlock['type']> = Extract<HubBlock, { type: Type }>

/** What an upstream may take as something other than words. */
export type Media = Block<'image' | 'document'>

/** Blocks that either side of a conversation may have. */
export type PlainBlock = Exclude<
  HubBlock,
  { type: 'tool_use' | 'tool_result' | 'thinking' | 'redacted_thinking' }
>

/** Whether a block is a picture or a document. */
export function isMedia(block: HubBlock | HubResultContent): block is Media {
  return block.type === 'image' || block.type === 'document'
}

/** The words of a block that is neither a picture nor a document; '' when there is nothing to say. */
export function blockText(block: Exclude<PlainBlock, Media>, path: string, encoding: Encoding): string {
  noteAnnotations(block, path, encoding)
  switch (block.type) {
    case 'text':
      return wellFormed(block.text, `${path}.text`, encoding)
    case 'search_result':
      return searchResultText(block, path, encoding)
    case 'compaction':
      return block.content ? summaryText(block.content, path, encoding) : ''
    default:
      return serverBlockText(block, path, encoding)
  }
}

/** The words of a piece of a tool result that is neither a picture nor a document. */
export function resultBlockText(
  block: Exclude<HubResultContent, Media>,
  path: string,
  encoding: Encoding,
): string {
  noteAnnotations(block, path, encoding)
  switch (block.type) {
    case 'text':
      return wellFormed(block.text, `${path}.text`, encoding)
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

/** The words of a document that is text; `undefined` for a file, whose data or address an upstream may take or not. */
export function documentText(
  { source, title, context }: Block<'document'>,
  path: string,
  encoding: Encoding,
): string | undefined {
  switch (source.type) {
    case 'text':
      return withHeading([title, context], source.data, { path, encoding })
    case 'content':
      return withHeading([title, context], contentText(source.content, path, encoding), { path, encoding })
    case 'base64':
    case 'url':
    case 'file':
      return undefined
  }
}

/** Refuses a document that is not in the request itself. */
export function refuseReference(document: Block<'document'>, path: string): void {
  const { source } = document
  if (source.type !== 'url' && source.type !== 'file') return
  throw invalidRequest(
    originOf(document) ?? `${path}.source`,
    `expected a document with its data, got one by ${source.type}`,
  )
}

/** A text below its heading, without the lines that are empty. */
export function withHeading(
  heading: readonly (string | null | undefined)[],
  text: string,
  { path, encoding }: { readonly path: string; readonly encoding: Encoding },
): string {
  const lines = [...heading, text].filter((line) => typeof line === 'string' && line !== '')
  return wellFormed(lines.join('\n'), path, encoding)
}

/** A stand-in for what the upstream cannot take, so that the model knows that something was there. */
export function leftOut(
  kind: Media['type'],
  path: string,
  { encoding, taken = `no ${kind}s` }: { readonly encoding: Encoding; readonly taken?: string },
): string {
  encoding.notes.add(`${kind}_dropped`, path, `this upstream takes ${taken}`)
  return `[${kind} left out: this model takes ${taken}]`
}

/** Refuses a picture or a document that only the provider of its file could find. */
export function refuseFile({ type, source }: Media, path: string, wanted: string): void {
  if (source.type === 'file') throw unknownFile(type, path, wanted)
}

/** The error of a picture or a document that is given by a file id. */
export function unknownFile(type: Media['type'], path: string, wanted: string): HubError {
  const what = type === 'image' ? 'an image' : 'a document'
  return invalidRequest(
    `${path}.source.file_id`,
    `expected ${what} by ${wanted}, got a file id that only Anthropic can resolve`,
  )
}

type SourceContent = Extract<Block<'document'>['source'], { type: 'content' }>['content']

function contentText(content: SourceContent, path: string, encoding: Encoding): string {
  if (typeof content === 'string') return content
  const texts = content.map((part) => {
    if (part.type === 'text') return part.text
    leftOut('image', `${path}.source.content`, { encoding })
    return '[image left out]'
  })
  return texts.join('\n')
}

function searchResultText(block: Block<'search_result'>, path: string, encoding: Encoding): string {
  const lines = [block.title, block.source, ...block.content.map((part) => part.text)]
  return wellFormed(lines.join('\n'), path, encoding)
}

function summaryText(summary: string, path: string, encoding: Encoding): string {
  return `[Summary of the conversation so far]\n${wellFormed(summary, `${path}.content`, encoding)}`
}

/** Fields that mean nothing without the server that wrote them. */
const OMITTED: ReadonlySet<string> = new Set(['type', 'encrypted_content', 'cache_control', 'caller'])

/** What server tools did in earlier turns is said in words: the upstream never had these tools. */
function serverBlockText(block: PlainBlock, path: string, { notes }: Encoding): string {
  if (!/^(server_tool_use|mcp_tool_use|.*_tool_result)$/.test(block.type)) {
    notes.add('block_dropped', path, `a block of the type ${block.type} has no equivalent`)
    return ''
  }
  notes.add('server_block_as_text', path, `a block of the type ${block.type} was turned into text`)
  const words = JSON.stringify(block, (key, value: unknown) => (OMITTED.has(key) ? undefined : value))
  return `[${block.type}] ${words}`
}
