import { blockText, isMedia, type Media, type PlainBlock, unknownFile } from '../../encode/block-text.ts'
import { noteAnnotations, wellFormed } from '../../encode/words.ts'
import type { Encoding } from './encoding.ts'
import type { GeminiPart } from './wire.ts'

type Image = Extract<Media, { type: 'image' }>
type Document = Extract<Media, { type: 'document' }>

/** A text part. */
export function textPart(text: string): GeminiPart {
  return { text }
}

/** A block of a turn as parts; none when there is nothing to say. */
export function encodeBlock(block: PlainBlock, path: string, encoding: Encoding): GeminiPart[] {
  if (isMedia(block)) return encodeMedia(block, path, encoding)
  const text = blockText(block, path, encoding)
  return text === '' ? [] : [textPart(text)]
}

/** A picture or a document as parts: what is said about it, then its data. */
export function encodeMedia(block: Media, path: string, encoding: Encoding): GeminiPart[] {
  noteAnnotations(block, path, encoding)
  return block.type === 'image' ? [encodeImage(block, path, encoding)] : encodeDocument(block, path, encoding)
}

function encodeImage({ source }: Image, path: string, encoding: Encoding): GeminiPart {
  if (source.type === 'base64') return inlineData(source.media_type, source.data)
  if (source.type === 'url') return fileData(source.url, 'image/jpeg', { path, encoding })
  throw unknownFile('image', path, 'base64 or url')
}

function encodeDocument(block: Document, path: string, encoding: Encoding): GeminiPart[] {
  const { source, title, context } = block
  const heading = [title, context].filter((line) => typeof line === 'string' && line !== '').join('\n')
  const before = heading === '' ? [] : [textPart(wellFormed(heading, path, encoding))]
  switch (source.type) {
    case 'text':
      return [...before, textPart(wellFormed(source.data, path, encoding))]
    case 'content':
      return [...before, ...contentParts(source.content, path, encoding)]
    case 'base64':
      return [...before, inlineData('application/pdf', source.data)]
    case 'url':
      return [...before, fileData(source.url, 'application/pdf', { path, encoding })]
    case 'file':
      throw unknownFile('document', path, 'base64 or url')
  }
}

type SourceContent = Extract<Document['source'], { type: 'content' }>['content']

function contentParts(content: SourceContent, path: string, encoding: Encoding): GeminiPart[] {
  const place = `${path}.source.content`
  if (typeof content === 'string') return [textPart(wellFormed(content, place, encoding))]
  return content.map((block, index) => {
    const at = `${place}[${index}]`
    return block.type === 'text'
      ? textPart(wellFormed(block.text, at, encoding))
      : encodeImage(block, at, encoding)
  })
}

function inlineData(mimeType: string, data: string): GeminiPart {
  return { inlineData: { mimeType, data } }
}

const TYPE_OF_EXTENSION: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
}

/** Google fetches it; which types it fetches from where depends on the service, and it reports that itself. */
function fileData(
  fileUri: string,
  fallback: string,
  { path, encoding: { notes } }: { path: string; encoding: Encoding },
): GeminiPart {
  const extension = /\.(\w{3,4})(?:[?#]|$)/.exec(fileUri)?.[1]?.toLowerCase() ?? ''
  const known = Object.hasOwn(TYPE_OF_EXTENSION, extension) ? TYPE_OF_EXTENSION[extension] : undefined
  if (known === undefined)
    notes.add('media_type_guessed', `${path}.source.url`, `the address does not say its type: ${fallback}`)
  return { fileData: { fileUri, mimeType: known ?? fallback } }
}
