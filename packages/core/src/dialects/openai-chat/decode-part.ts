import { cacheMark } from '../../decode/cache-mark.ts'
import { type DataUrl, isText, readDataUrl, textOf } from '../../decode/data-url.ts'
import { invalidRequest } from '../../hub/error.ts'
import type { Notes } from '../../hub/note.ts'
import type { HubBlock, HubTextBlock } from '../../hub/request.ts'
import { noteOtherFields } from '../../decode/other-fields.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { ChatPart } from './wire.ts'

/** Where a part was found, and where it is noted what the hub's form cannot hold of it. */
export interface PartPlace {
  readonly path: string
  readonly notes: Notes
}

type Image = Extract<HubBlock, { type: 'image' }>
type Document = Extract<HubBlock, { type: 'document' }>

/** The fields of parts that are read. */
const READ: ReadonlySet<string> = new Set(
  [
    ['type', 'text', 'refusal', 'thinking', 'cache_control', 'prompt_cache_breakpoint'],
    ['image_url', 'file', 'input_audio'],
  ].flat(),
)

const PDF = 'application/pdf'
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** Decodes one part of a message; what the hub has no form for is replaced by words that say what was there. */
export function decodePart(part: ChatPart, place: PartPlace): HubBlock {
  noteOtherFields(part as unknown as JsonObject, READ, place)
  const block = blockOf(part, place)
  const mark = cacheMark(part)
  return block === undefined ? leftOut(part.type, place) : { ...block, ...mark }
}

/** A text block. */
export function textBlock(text: string): HubTextBlock {
  return { type: 'text', text }
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

/** What stands for a part that the hub has no form for: words that say what was there. */
export function leftOut(type: string, { path, notes }: PartPlace): HubTextBlock {
  notes.add('part_left_out', path, `a part of the type ${type} has no equivalent in the hub's form`)
  return textBlock(`[${type} left out]`)
}

type ImageUrl = Extract<ChatPart, { type: 'image_url' }>['image_url']

function decodeImage(image: ImageUrl | string, { path, notes }: PartPlace): Image | undefined {
  const { url, detail }: ImageUrl = typeof image === 'string' ? { url: image } : image
  if (detail !== undefined && detail !== 'auto') {
    notes.addOnce('image_detail_dropped', `${path}.image_url.detail`, 'the hub knows no detail of images')
  }
  if (!url.startsWith('data:')) return { type: 'image', source: { type: 'url', url } }
  const data = readDataUrl(url)
  if (data === undefined || !data.isBase64 || data.payload === '')
    throw invalidRequest(`${path}.image_url.url`, 'expected an address or base64 data')
  return imageOf(data)
}

function imageOf({ mediaType, payload: data }: DataUrl): Image | undefined {
  if (!IMAGE_TYPES.has(mediaType)) return undefined
  return { type: 'image', source: { type: 'base64', media_type: mediaType as 'image/png', data } }
}

type FilePart = Extract<ChatPart, { type: 'file' }>['file']

function decodeFile({ file_data: data, filename }: FilePart, { path }: PartPlace): HubBlock | undefined {
  // The id of a file means something to OpenAI only.
  if (data === undefined || data === null) return undefined
  // OpenAI takes the bare base64 of a PDF too.
  const file = readDataUrl(data) ?? { mediaType: PDF, payload: data, isBase64: true }
  if (isText(file)) return textDocument(file, { path, title: filename })
  if (file.mediaType !== PDF) return imageOf(file)
  return titled(
    { type: 'document', source: { type: 'base64', media_type: PDF, data: file.payload } },
    filename,
  )
}

function textDocument(file: DataUrl, { path, title }: { path: string; title: string | undefined }): Document {
  const data = textOf(file)
  if (data === undefined) throw invalidRequest(`${path}.file.file_data`, 'expected text as base64')
  return titled({ type: 'document', source: { type: 'text', media_type: 'text/plain', data } }, title)
}

function titled(document: Document, title: string | undefined): Document {
  return title ? { ...document, title } : document
}
