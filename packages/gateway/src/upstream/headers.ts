import { type EncodedRequest, headerOf, type HeaderValues } from '@hydra/core'
import type { Upstream } from '../options.ts'
import type { Secret } from '../secret.ts'

const USER_AGENT = 'hydra/0.1'

/** Headers of one connection, those we set ourselves, and what only a browser or a proxy knows: never passed on. */
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
    if (ownKey === undefined || text.replace(/^Bearer /i, '') !== ownKey.reveal()) headers[name] = text
  }
  return headers
}

const RETURNED =
  /^(?:content-type|content-encoding|retry-after(?:-ms)?|request-id|x-should-retry|anthropic-ratelimit-.*|anthropic-organization-id)$/
const RATE_LIMITS = /^x-ratelimit-.*/

/** The headers of an upstream's answer that its client may see unchanged. */
export function returnedHeaders(
  upstream: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(upstream)) {
    if (value !== undefined && (RETURNED.test(name) || RATE_LIMITS.test(name))) headers[name] = value
  }
  return headers
}
