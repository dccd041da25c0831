import { fromBase64Url } from '../identity/base64url.ts'

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=.-]+)*?(;base64)?,/i

/** Data that is its own address. */
export interface DataUrl {
  readonly mediaType: string
  readonly payload: string
  readonly isBase64: boolean
}

/** Reads a data URL; `undefined` for every other text. */
export function readDataUrl(url: string): DataUrl | undefined {
  const match = DATA_URL.exec(url)
  if (match === null) return undefined
  const [head, mediaType = 'text/plain', base64] = match
  const lower = mediaType.toLowerCase()
  return {
    // A customary wrong name, which no provider takes.
    mediaType: lower === 'image/jpg' ? 'image/jpeg' : lower,
    payload: url.slice(head.length),
    isBase64: base64 !== undefined,
  }
}

/** Whether data is words and not a picture or a file of another kind. */
export function isText({ mediaType, isBase64 }: DataUrl): boolean {
  return !isBase64 || /^text\/|[/+](?:json|xml|yaml)$/.test(mediaType)
}

/** The words of data that is text; `undefined` where they cannot be read. */
export function textOf({ payload, isBase64 }: DataUrl): string | undefined {
  if (isBase64) return fromBase64Url(payload.replace(/=+$/, ''))
  try {
    return decodeURIComponent(payload)
  } catch {
    return payload
  }
}
