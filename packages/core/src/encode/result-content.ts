import type { HubToolResult } from '../hub/request.ts'
import { isMedia, type Media, resultBlockText } from './block-text.ts'
import type { Encoding } from './encoding.ts'
import { wellFormed } from './words.ts'

/** What a tool gave back, with its words apart from what an upstream takes only outside of a result. */
export interface ResultContent<T> {
  readonly texts: string[]
  readonly media: T[]
}

/** Sorts the content of a result. A picture or a document becomes words where the upstream cannot take it. */
export function resultContent<T>(
  { content }: HubToolResult,
  { path, encoding }: { readonly path: string; readonly encoding: Encoding },
  encodeMedia: (block: Media, path: string) => readonly (T | string)[],
): ResultContent<T> {
  if (typeof content === 'string')
    return { texts: [wellFormed(content, `${path}.content`, encoding)], media: [] }
  const texts: string[] = []
  const media: T[] = []
  for (const [index, block] of (content ?? []).entries()) {
    const place = `${path}.content[${index}]`
    if (!isMedia(block)) {
      texts.push(resultBlockText(block, place, encoding))
      continue
    }
    for (const encoded of encodeMedia(block, place)) {
      if (typeof encoded === 'string') texts.push(encoded)
      else media.push(encoded)
    }
  }
  return { texts, media }
}
