import { cacheMark } from '../../decode/cache-mark.ts'
import { type DataUrl, isText, readDataUrl, textOf } from '../../decode/data-url.ts'
import { noteOtherFields } from '../../decode/other-fields.ts'
import { invalidRequest } from '../../hub/error.ts'
import type { Notes } from '../../hub/note.ts'
import { cameFrom } from '../../hub/origin.ts'
import type { HubResultContent } from '../../hub/request.ts'
import { expectArray, expectObject, expectString, expectText, unexpected } from '../../json/expect.ts'
import type { JsonObject } from '../../json/json-object.ts'

const PDF = 'application/pdf'

/** A block that a user turn and a tool result may both hold. */
export type ContentBlock = Extract<HubResultContent, { type: 'text' | 'image' | 'document' }>

/** The parts of a message or of a tool's output; text that is empty says nothing and is left out. */
export function decodeContent(value: unknown, path: string, notes: Notes): ContentBlock[] {
  if (typeof value === 'string') return textBlocks(value)
  if (!Array.isArray(value)) throw unexpected(path, 'string or array', value)
  return expectArray(value, path).flatMap((part, index) => decodePart(part, `${path}[${index}]`, notes))
}

/** The fields of parts that are read, and those that mean nothing to the model. */
const READ: ReadonlySet<string> = new Set(
  [
    ['type', 'text', 'refusal', 'prompt_cache_breakpoint', 'cache_control', 'annotations', 'logprobs'],
    ['image_url', 'file_id', 'detail', 'file_data', 'file_url', 'filename'],
  ].flat(),
)

function decodePart(value: unknown, path: string, notes: Notes): ContentBlock[] {
  const part = expectObject(value, path)
  noteOtherFields(part, READ, { path, notes })
  const mark = cacheMark(part)
  return blocksOf(part, path, notes).map((block) => Object.assign(block, mark))
}

function blocksOf(part: JsonObject, path: string, notes: Notes): ContentBlock[] {
  const type = expectText(part, 'type', path)
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text':
    case 'summary_text':
    case 'reasoning_text':
      return textBlocks(expectString(part, 'text', path))
    case 'refusal':
      return textBlocks(expectString(part, 'refusal', path))
    case 'input_image':
    case 'computer_screenshot':
      return [decodeImage(part, path, notes)]
    case 'input_file':
      return [decodeFile(part, path, notes)]
    default:
      notes.add('part_dropped', path, `a part of the type '${type}' cannot be passed on`)
      return [words(`[A part of the type ${type} was here: it cannot be passed on.]`)]
  }
}

function decodeImage(part: JsonObject, path: string, notes: Notes): ContentBlock {
  const { image_url: url, detail } = part
  if (typeof url !== 'string') return unreachable('image', { part, path, notes })
  if (detail !== undefined && detail !== null && detail !== 'auto')
    notes.addOnce('image_detail_dropped', `${path}.detail`, 'how closely an image is looked at cannot be set')
  const data = readDataUrl(url)
  if (data === undefined) return { type: 'image', source: { type: 'url', url } }
  if (!data.isBase64 || data.payload === '')
    throw invalidRequest(`${path}.image_url`, 'expected an address or base64 data')
  return imageOf(data, { part, path, notes })
}

/** The types of images that models read. */
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

function imageOf({ mediaType, payload }: DataUrl, { part, path, notes }: PartPlace): ContentBlock {
  if (IMAGE_TYPES.has(mediaType))
    return { type: 'image', source: { type: 'base64', media_type: mediaType as 'image/png', data: payload } }
  notes.add('image_dropped', path, `an image of the type ${mediaType} is none that models read`)
  return words(`[The image${namedIn(part)} was here: it cannot be read.]`)
}

function decodeFile(part: JsonObject, path: string, notes: Notes): ContentBlock {
  const { file_data: content, file_url: url, filename } = part
  const title = typeof filename === 'string' && filename !== '' ? { title: filename } : {}
  if (typeof url === 'string')
    return cameFrom({ type: 'document', source: { type: 'url', url }, ...title }, `${path}.file_url`)
  if (typeof content !== 'string') return unreachable('file', { part, path, notes })
  const data = readDataUrl(content) ?? { mediaType: PDF, payload: content, isBase64: true }
  const text = isText(data) ? textOf(data) : undefined
  if (text !== undefined)
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: text }, ...title }
  if (data.mediaType.startsWith('image/')) return imageOf(data, { part, path, notes })
  if (data.mediaType !== PDF) {
    const message = `a file of the type ${data.mediaType} is neither text nor a PDF, which is all that models read`
    notes.add('file_dropped', path, message)
    return words(`[The file${namedIn(part)} was here: it cannot be read.]`)
  }
  return { type: 'document', source: { type: 'base64', media_type: PDF, data: data.payload }, ...title }
}

interface PartPlace {
  readonly part: JsonObject
  readonly path: string
  readonly notes: Notes
}

/** What is kept on OpenAI's servers cannot be read by other providers: the model learns that there was something. */
function unreachable(kind: 'image' | 'file', { part, path, notes }: PartPlace): ContentBlock {
  notes.add(`${kind}_dropped`, path, `a ${kind} that is not in the request cannot be reached`)
  return words(`[The ${kind}${namedIn(part)} was here: it cannot be reached.]`)
}

function namedIn({ file_id: id, filename }: JsonObject): string {
  const name = [filename, id].find((value) => typeof value === 'string' && value !== '')
  return typeof name === 'string' ? ` ${name}` : ''
}

function textBlocks(text: string): ContentBlock[] {
  return text === '' ? [] : [words(text)]
}

function words(text: string): ContentBlock {
  return { type: 'text', text }
}
