import {
  blockText,
  documentText,
  isMedia,
  leftOut,
  type Media,
  type PlainBlock,
  refuseFile,
  refuseReference,
  withHeading,
} from '../../encode/block-text.ts'
import { resultContent } from '../../encode/result-content.ts'
import { noteAnnotations } from '../../encode/words.ts'
import type { HubToolResult } from '../../hub/request.ts'
import type { Encoding } from './encoding.ts'
import type { QImage, QToolResult } from './wire.ts'

/** What a block says: words, or a picture. */
export type Piece = { readonly text: string } | { readonly image: QImage }

/** Pictures that the format knows, by their media types. */
const FORMAT_OF_TYPE: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
])

const TAKEN_IMAGES = 'images only by their data, as PNG, JPEG, GIF or WebP'

/** A block of a turn as a piece of a message; words may be empty. */
export function encodeBlock(block: PlainBlock, path: string, encoding: Encoding): Piece {
  return isMedia(block) ? encodeMedia(block, path, encoding) : { text: blockText(block, path, encoding) }
}

function encodeMedia(block: Media, path: string, encoding: Encoding): Piece {
  noteAnnotations(block, path, encoding)
  if (block.type === 'image') return encodeImage(block, path, encoding)
  refuseReference(block, path)
  const { title, context } = block
  const text =
    documentText(block, path, encoding) ??
    withHeading([title, context], leftOut('document', path, { encoding }), { path, encoding })
  return { text }
}

function encodeImage(block: Extract<Media, { type: 'image' }>, path: string, encoding: Encoding): Piece {
  refuseFile(block, path, 'base64')
  const { source } = block
  const format = source.type === 'base64' ? FORMAT_OF_TYPE.get(source.media_type) : undefined
  if (!encoding.profile.takesImages || source.type !== 'base64' || format === undefined)
    return { text: leftOut('image', path, { encoding, taken: TAKEN_IMAGES }) }
  return { image: { format, source: { bytes: source.data } } }
}

/** A result, and the pictures in it, which only the message around it can carry. */
export interface EncodedResult {
  readonly result: QToolResult
  readonly images: readonly QImage[]
}

/** The result of a call in the upstream's form. */
export function encodeResult(block: HubToolResult, path: string, encoding: Encoding): EncodedResult {
  noteAnnotations(block, path, encoding)
  const content = resultContent(block, { path, encoding }, (media, at) => {
    const piece = encodeMedia(media, at, encoding)
    return ['image' in piece ? piece.image : piece.text]
  })
  const { media: images } = content
  const texts = content.texts.filter((text) => text !== '')
  if (images.length > 0) {
    encoding.notes.add('result_media_moved', path, 'its images are in the message around it')
    texts.push(`[${images.length} image(s), among the images of this message]`)
  }
  const text = texts.join('\n')
  const isError = block.is_error === true
  return {
    result: {
      toolUseId: encoding.wireIds.toWire(block.tool_use_id),
      content: [{ text: text === '' ? wordsForNothing(isError, encoding) : text }],
      status: isError ? 'error' : 'success',
    },
    images,
  }
}

/** An empty result must not look like one that is still to come. */
function wordsForNothing(isError: boolean, { profile }: Encoding): string {
  if (isError) return 'The tool failed without a message.'
  return profile.emptyResult === '' ? '(no output)' : profile.emptyResult
}
