import { invalidRequest } from '../../hub/error.ts'
import type { Notes } from '../../hub/note.ts'
import type { HubBlock, HubTextBlock } from '../../hub/request.ts'
import { isJsonObject } from '../../json/json-object.ts'
import type { ChatPart } from './wire.ts'

/** Where a part was found, and where it is noted what the hub's form cannot hold of it. */
export interface PartPlace {
  readonly path: string
  readonly notes: Notes
}

type Image = Extract<HubBlock, { type: 'image' }>
type Document = Extract<HubBlock, { type: 'document' }>

const DATA_URL = /^data:([^;,]*)(?:;[^,]*)?;base64,(.*)$/s
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** Decodes one part of a message; what the hub has no form for is replaced by words that say what was there. */
export function decodePart(part: ChatPart, place: PartPlace): HubBlock {
  const block = blockOf(part, place)
  const mark = cacheMark(part)
  return block === undefined ? leftOut(part.type, place) : { ...block, ...mark }
}

/** A text block. */
export function textBlock(text: string): HubTextBlock {
  return { type: 'text', text }
}

/**
 * The cache mark of a part: OpenAI's breakpoint, or Anthropic's own field, which clients put into Chat requests
 * for servers that pass it on.
 */
export function cacheMark(part: object): Pick<HubTextBlock, 'cache_control'> {
  const { cache_control: own, prompt_cache_breakpoint: breakpoint } = part as Record<string, unknown>
  if (isJsonObject(own) && own['type'] === 'ephemeral') {
    return { cache_control: { type: 'ephemeral', ...(own['ttl'] === '1h' && { ttl: '1h' }) } }
  }
  if (!isJsonObject(breakpoint) || breakpoint['mode'] !== 'explicit') return {}
  return { cache_control: { type: 'ephemeral', ...(breakpoint['ttl'] === '12h' && { ttl: '1h' }) } }
}

function blockOf(part: ChatPart, place: PartPlace): HubBlock | undefined {
  switch (part.type) {
    case 'text':
      return textBlock(part.text)
    case 'image_url':
      return decodeImage(part.image_url, place)
    case 'file':
      return decodeFile(part.file, place)
    default:
      return undefined
  }
}

function leftOut(type: string, { path, notes }: PartPlace): HubTextBlock {
  notes.add('part_left_out', path, `a part of the type ${type} has no equivalent in the hub's form`)
  return textBlock(`[${type} left out]`)
}

type ImageUrl = Extract<ChatPart, { type: 'image_url' }>['image_url']

function decodeImage({ url, detail }: ImageUrl, { path, notes }: PartPlace): Image | undefined {
  if (detail !== undefined && detail !== 'auto') {
    notes.addOnce('image_detail_dropped', `${path}.image_url.detail`, 'the hub knows no detail of images')
  }
  if (!url.startsWith('data:')) return { type: 'image', source: { type: 'url', url } }
  const [, type = '', data = ''] = DATA_URL.exec(url) ?? []
  if (data === '') throw invalidRequest(`${path}.image_url.url`, 'expected an address or base64 data')
  return imageOf(type, data)
}

function imageOf(type: string, data: string): Image | undefined {
  if (!IMAGE_TYPES.has(type)) return undefined
  return { type: 'image', source: { type: 'base64', media_type: type as 'image/png', data } }
}

type FilePart = Extract<ChatPart, { type: 'file' }>['file']

function decodeFile({ file_data: data, filename }: FilePart, { path }: PartPlace): HubBlock | undefined {
  // The id of a file means something to OpenAI only.
  if (data === undefined || data === null) return undefined
  // OpenAI takes the bare base64 of a PDF too.
  const [, type = '', base64 = ''] = DATA_URL.exec(data) ?? [data, 'application/pdf', data]
  if (type.startsWith('text/')) return textDocument(base64, { path, title: filename })
  if (type !== 'application/pdf') return imageOf(type, base64)
  return titled({ type: 'document', source: { type: 'base64', media_type: type, data: base64 } }, filename)
}

function textDocument(
  base64: string,
  { path, title }: { path: string; title: string | undefined },
): Document {
  const data = decodedText(base64)
  if (data === undefined) throw invalidRequest(`${path}.file.file_data`, 'expected text as base64')
  return titled({ type: 'document', source: { type: 'text', media_type: 'text/plain', data } }, title)
}

function titled(document: Document, title: string | undefined): Document {
  return title ? { ...document, title } : document
}

function decodedText(base64: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
