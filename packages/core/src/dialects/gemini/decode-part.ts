import type { Notes } from '../../hub/note.ts'
import { cameFrom } from '../../hub/origin.ts'
import type { HubResultContent } from '../../hub/request.ts'
import { fromBase64Url } from '../../identity/base64url.ts'
import { unexpected } from '../../json/expect.ts'
import type { Fields } from './fields.ts'

/** A block that a user's turn and a tool's result may both hold. */
export type ContentBlock = Extract<HubResultContent, { type: 'text' | 'image' | 'document' }>

const IMAGE = /^image\/(?:png|jpe?g|gif|webp)$/
const TEXT = /^text\/|[/+](?:json|xml|yaml|javascript|x-sh)$/

/** Data of a part: a picture, a PDF, text; anything else becomes words that say what was there. */
export function decodeInlineData(data: Fields, notes: Notes): ContentBlock {
  const mediaType = (data.text('mimeType') ?? '').toLowerCase()
  const payload = standardBase64(data.text('data') ?? '')
  data.text('displayName')
  data.noteOthers(notes)
  if (payload === '') throw unexpected(data.pathOf('data'), 'base64', undefined)
  if (IMAGE.test(mediaType)) {
    const type = mediaType.replace('jpg', 'jpeg') as 'image/png'
    return { type: 'image', source: { type: 'base64', media_type: type, data: payload } }
  }
  if (mediaType === 'application/pdf') {
    return { type: 'document', source: { type: 'base64', media_type: mediaType, data: payload } }
  }
  const text = TEXT.test(mediaType) ? textOf(payload) : undefined
  return text === undefined ? unreadable(mediaType, data.path, notes) : { type: 'text', text }
}

/** A file by its address; what is kept at Google cannot be reached by other providers. */
export function decodeFileData(file: Fields, notes: Notes): ContentBlock {
  const uri = file.text('fileUri') ?? ''
  const mediaType = (file.text('mimeType') ?? '').toLowerCase()
  file.text('displayName')
  file.noteOthers(notes)
  const isPlain = /^https?:\/\//.test(uri) && !isGoogles(uri)
  const isPdf = mediaType === 'application/pdf' || /\.pdf(?:[?#]|$)/i.test(uri)
  if (isPlain && isPdf)
    return cameFrom({ type: 'document', source: { type: 'url', url: uri } }, file.pathOf('fileUri'))
  if (isPlain && !/^(?:audio|video|text)\//.test(mediaType))
    return { type: 'image', source: { type: 'url', url: uri } }
  notes.add('file_dropped', file.path, 'a file that only Google can reach')
  return { type: 'text', text: `[The file ${uri} was here: it cannot be reached.]` }
}

function isGoogles(uri: string): boolean {
  return /\/v\d\w*\/files\/|^https?:\/\/(?:www\.)?(?:youtube\.com|youtu\.be)\//.test(uri)
}

function unreadable(mediaType: string, path: string, notes: Notes): ContentBlock {
  notes.add('part_dropped', path, `data of the type '${mediaType}' cannot be passed on`)
  return { type: 'text', text: `[Data of the type ${mediaType} was here: it cannot be passed on.]` }
}

/** Both alphabets occur; other providers take the standard one. */
function standardBase64(data: string): string {
  const standard = data.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  return standard.padEnd(Math.ceil(standard.length / 4) * 4, '=')
}

function textOf(payload: string): string | undefined {
  return fromBase64Url(payload.replace(/=+$/, ''))
}
