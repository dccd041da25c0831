import type { Profile } from '../profiles/profile.ts'
import { blockText, documentText, isMedia, leftOut, type Media, type PlainBlock } from './block-text.ts'
import type { Encoding } from './encoding.ts'
import { noteAnnotations, wellFormed } from './words.ts'

/** What a profile says about the media that its upstream takes. */
interface MediaRules extends Profile {
  readonly takesImages: boolean
  readonly takesDocuments: boolean
}

/** How one of OpenAI's APIs writes the parts of a message. */
export interface PartForm<Part> {
  text(text: string): Part
  /** An image by its address, which may be its data. */
  image(url: string): Part
  /** A file by its data as an address. */
  file(name: string, dataUrl: string): Part
  /** Refuses what cannot be sent at all. */
  refuse(block: Media, path: string): void
  /** A file by its address, where the API takes one. */
  linkedFile?(url: string): Part
}

/** Where a block is, and what the parts of its request share. */
interface PartPlace {
  readonly path: string
  readonly encoding: Encoding<MediaRules>
}

/** A block of a turn as a part of a message; `undefined` when there is nothing to say. */
export function encodePart<Part>(
  block: PlainBlock,
  { path, encoding }: PartPlace,
  form: PartForm<Part>,
): Part | undefined {
  if (isMedia(block)) return encodeMediaPart(block, { path, encoding }, form)
  const text = blockText(block, path, encoding)
  return text === '' ? undefined : form.text(text)
}

/** A picture or a document as a part of a message, or the words for one that the upstream does not take. */
export function encodeMediaPart<Part>(block: Media, place: PartPlace, form: PartForm<Part>): Part {
  const { path, encoding } = place
  noteAnnotations(block, path, encoding)
  form.refuse(block, path)
  return block.type === 'image' ? imagePart(block, place, form) : documentPart(block, place, form)
}

type Image = Extract<Media, { type: 'image' }>
type Document = Extract<Media, { type: 'document' }>

function imagePart<Part>({ source }: Image, { path, encoding }: PartPlace, form: PartForm<Part>): Part {
  if (!encoding.profile.takesImages || source.type === 'file')
    return form.text(leftOut('image', path, { encoding }))
  return form.image(source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`)
}

function documentPart<Part>(block: Document, { path, encoding }: PartPlace, form: PartForm<Part>): Part {
  const text = documentText(block, path, encoding)
  if (text !== undefined) return form.text(text)
  const { profile, notes } = encoding
  const file = profile.takesDocuments ? filePart(block, { path, encoding }, form) : undefined
  if (file === undefined) return form.text(leftOut('document', path, { encoding }))
  if (block.context) notes.add('document_context_dropped', `${path}.context`, 'a file has no place for it')
  return file
}

function filePart<Part>(
  { source, title }: Document,
  { path, encoding }: PartPlace,
  form: PartForm<Part>,
): Part | undefined {
  if (source.type === 'base64') {
    const name = wellFormed(title || 'document.pdf', `${path}.title`, encoding)
    return form.file(name, `data:application/pdf;base64,${source.data}`)
  }
  if (source.type !== 'url' || form.linkedFile === undefined) return undefined
  if (title)
    encoding.notes.add('document_title_dropped', `${path}.title`, 'a file by its address has no place for it')
  return form.linkedFile(source.url)
}
