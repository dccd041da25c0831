import { type EncodedRequest, headerOf, type HeaderValues } from '@hydra/core'
import type { Upstream } from '../options.ts'
import type { Secret } from '../secret.ts'

const USER_AGENT = 'hydra/0.1'

/**
 * Headers of one connection, those we set ourselves, and what only a browser or a proxy knows: never passed on.
 * A body was unpacked when it was read.
 */
const OWN = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'content-encoding',
  'expect',
  'accept-encoding',
  'cookie',
  'origin',
  'referer',
  'forwarded',
  'via',
])
const OWN_FAMILIES = /^(?::|x-hydra-|x-forwarded-|x-real-ip$|sec-)/

/** The headers of a translated call: ours, the dialect's and the upstream's. */
export function callHeaders(
  upstream: Upstream,
  { headers }: Pick<EncodedRequest, 'headers'>,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    // An encoded stream would have to be decoded before its events can be read.
    'accept-encoding': 'identity',
    'user-agent': USER_AGENT,
    ...headers,
    ...keyHeaders(upstream),
    ...upstream.headers,
  }
}

function keyHeaders({ key, profile: { keyHeader } }: Upstream): Record<string, string> {
  if (key === undefined) return {}
  return { [keyHeader]: keyHeader === 'authorization' ? `Bearer ${key.reveal()}` : key.reveal() }
}

/**
 * The headers of a call that goes through unchanged: the client's, without those of its connection to us.
 * Our own key is meant for us only, whichever header it came in.
 */
export function passthroughHeaders(client: HeaderValues, ownKey: Secret | undefined): Record<string, string> {
  const listed = new Set((headerOf(client, 'connection') ?? '').toLowerCase().split(/\s*,\s*/))
  const headers: Record<string, string> = { 'accept-encoding': 'identity' }
  for (const [name, value] of Object.entries(client)) {
    if (value === undefined || OWN.has(name) || OWN_FAMILIES.test(name) || listed.has(name)) continue
    const text = typeof value === 'string' ? value : value.join(', ')
    if (ownKey === undefined || !holdsKey(text, ownKey.reveal())) headers[name] = text
  }
  return headers
}

const MIN_PART_LENGTH = 8

/** Whether our key is anywhere in a header, in whatever spelling: behind any scheme, among other words, or in base64. */
function holdsKey(text: string, key: string): boolean {
  const words = text.split(/[\s,;]+/)
  const decodedWords = words.map(decoded)
  // A short key may be a part of any word.
  if (key.length < MIN_PART_LENGTH) {
    return [...words, ...decodedWords.flatMap((word) => word.split(':'))].includes(key)
  }
  return [text, ...decodedWords].some((word) => word.includes(key))
}

function decoded(word: string): string {
  try {
    return atob(word)
  } catch {
    return ''
  }
}

const RETURNED =
  /^(?:content-type|content-encoding|retry-after(?:-ms)?|x-should-retry|(?:x-)?request-id)$|^\w+-ratelimit-|-organization(?:-id)?$/

/** The headers of an upstream's answer that its client may see unchanged, by whatever prefix its provider gives them. */
export function returnedHeaders(
  upstream: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(upstream)) {
    if (value !== undefined && RETURNED.test(name)) headers[name] = value
  }
  return headers
}
