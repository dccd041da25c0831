import { isMedia, type PlainBlock, refuseFile, resultBlockText } from '../../encode/block-text.ts'
import { encodeMediaPart, encodePart, type PartForm } from '../../encode/openai-part.ts'
import { needsErrorWord, resultText } from '../../encode/result-text.ts'
import { noteAnnotations, wellFormed } from '../../encode/words.ts'
import type { HubToolResult } from '../../hub/request.ts'
import type { Encoding } from './encoding.ts'
import type { InputPart, OutputPart } from './wire.ts'

const FORM: PartForm<InputPart> = {
  text: textPart,
  image: (image_url) => ({ type: 'input_image', image_url, detail: 'auto' }),
  file: (filename, file_data) => ({ type: 'input_file', filename, file_data }),
  linkedFile: (file_url) => ({ type: 'input_file', file_url }),
  refuse: (block, path) => refuseFile(block, path, 'base64 or url'),
}

/** A text part. */
export function textPart(text: string): InputPart {
  return { type: 'input_text', text }
}

/** A block of a turn as a part of a message; `undefined` when there is nothing to say. */
export function encodeBlock(block: PlainBlock, path: string, encoding: Encoding): InputPart | undefined {
  return encodePart(block, { path, encoding }, FORM)
}

/** The output of a call: words alone as a string, which every server takes; parts only where there is media. */
export function encodeResult(result: HubToolResult, path: string, encoding: Encoding): string | OutputPart[] {
  noteAnnotations(result, path, encoding)
  const parts = resultParts(result, path, encoding)
  const texts = parts.flatMap((part) => (part.type === 'input_text' ? [part.text] : []))
  const text = texts.join('\n')
  if (texts.length === parts.length) return resultText(text, result, encoding.profile.emptyResult)
  return needsErrorWord(text, result) ? [textPart('Error:'), ...parts] : parts
}

function resultParts({ content }: HubToolResult, path: string, encoding: Encoding): InputPart[] {
  if (typeof content === 'string') return [textPart(wellFormed(content, `${path}.content`, encoding))]
  return (content ?? []).flatMap((block, index) => {
    const place = `${path}.content[${index}]`
    if (isMedia(block)) return [encodeMediaPart(block, { path: place, encoding }, FORM)]
    const text = resultBlockText(block, place, encoding)
    return text === '' ? [] : [textPart(text)]
  })
}
