import { type Media, type PlainBlock, refuseFile, refuseReference } from '../../encode/block-text.ts'
import { encodeMediaPart, encodePart, type PartForm } from '../../encode/openai-part.ts'
import type { Encoding } from './encoding.ts'
import type { ChatPart } from './wire.ts'

const FORM: PartForm<ChatPart> = {
  text: textPart,
  image: (url) => ({ type: 'image_url', image_url: { url } }),
  file: (filename, file_data) => ({ type: 'file', file: { filename, file_data } }),
  refuse(block, path) {
    if (block.type === 'image') refuseFile(block, path, 'base64 or url')
    else refuseReference(block, path)
  },
}

/** A text part. */
export function textPart(text: string): ChatPart {
  return { type: 'text', text }
}

/** A block of a turn as a part of a message; `undefined` when there is nothing to say. */
export function encodeBlock(block: PlainBlock, path: string, encoding: Encoding): ChatPart | undefined {
  return encodePart(block, { path, encoding }, FORM)
}

/** A picture or a document as a part of a message. */
export function encodeMedia(block: Media, path: string, encoding: Encoding): ChatPart {
  return encodeMediaPart(block, { path, encoding }, FORM)
}
