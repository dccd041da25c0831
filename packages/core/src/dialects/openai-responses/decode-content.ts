import type { Notes } from '../../hub/note.ts'
import type { HubResultContent } from '../../hub/request.ts'
import { fromBase64Url } from '../../identity/base64url.ts'
import { expectArray, expectObject, expectString, expectText, unexpected } from '../../json/expect.ts'
import type { JsonObject } from '../../json/json-object.ts'

/** A block that a user turn and a tool result may both hold. */
export type ContentBlock = Extract<HubResultContent, { type: 'text' | 'image' | 'document' }>

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=.-]+)*?(;base64)?,/i

/** The parts of a message or of a tool's output; text that is empty says nothing and is left out. */
export function decodeContent(value: unknown, path: string, notes: Notes): ContentBlock[] {
  if (typeof value === 'string') return textBlocks(value)
  if (!Array.isArray(value)) throw unexpected(path, 'string or array', value)
  return expectArray(value, path).flatMap((part, index) => decodePart(part, `${path}[${index}]`, notes))
}

function decodePart(value: unknown, path: string, notes: Notes): ContentBlock[] {
  const part = expectObject(value, path)
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
  const data = dataOf(url)
  if (data === undefined) return { type: 'image', source: { type: 'url', url } }
  // The SDK lists the types that Anthropic takes; others are for the upstream to refuse.
  const mediaType = data.mediaType as 'image/png'
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data: data.payload } }
}

function decodeFile(part: JsonObject, path: string, notes: Notes): ContentBlock {
  const { file_data: content, file_url: url, filename } = part
  const title = typeof filename === 'string' && filename !== '' ? { title: filename } : {}
  if (typeof url === 'string') return { type: 'document', source: { type: 'url', url }, ...title }
  if (typeof content !== 'string') return unreachable('file', { part, path, notes })
  const data = dataOf(content) ?? { mediaType: 'application/pdf', payload: content, isBase64: true }
  const text = textOf(data)
  if (text !== undefined)
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: text }, ...title }
  const mediaType = data.mediaType as 'application/pdf'
  return {
    type: 'document',
    source: { type: 'base64', media_type: mediaType, data: data.payload },
    ...title,
  }
}

interface Unreachable {
  readonly part: JsonObject
  readonly path: string
  readonly notes: Notes
}

/** What is kept on OpenAI's servers cannot be read by anybody else: the model learns that there was something. */
function unreachable(kind: 'image' | 'file', { part, path, notes }: Unreachable): ContentBlock {
  const { file_id: id, filename } = part
  const name = [filename, id].find((value) => typeof value === 'string' && value !== '')
  notes.add(`${kind}_dropped`, path, `a ${kind} that is not in the request cannot be reached`)
  return words(`[The ${kind}${typeof name === 'string' ? ` ${name}` : ''} was here: it cannot be reached.]`)
}

interface DataUrl {
  readonly mediaType: string
  readonly payload: string
  readonly isBase64: boolean
}

function dataOf(url: string): DataUrl | undefined {
  const match = DATA_URL.exec(url)
  if (match === null) return undefined
  const [head, mediaType = 'text/plain', base64] = match
  return {
    mediaType: mediaType.toLowerCase(),
    payload: url.slice(head.length),
    isBase64: base64 !== undefined,
  }
}

/** The words of a file that is text. */
function textOf({ mediaType, payload, isBase64 }: DataUrl): string | undefined {
  if (isBase64 && !/^text\/|[/+](?:json|xml|yaml)$/.test(mediaType)) return undefined
  if (isBase64) return fromBase64Url(payload.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''))
  try {
    return decodeURIComponent(payload)
  } catch {
    return payload
  }
}

function textBlocks(text: string): ContentBlock[] {
  return text === '' ? [] : [words(text)]
}

function words(text: string): ContentBlock {
  return { type: 'text', text }
}
