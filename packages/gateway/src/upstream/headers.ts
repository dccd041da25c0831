import { headerOf, type RequestHeaders } from '../exchange/exchange.ts'
import type { Upstream } from '../options.ts'
import type { Secret } from '../secret.ts'

const USER_AGENT = 'hydra/0.1'
/** The operation that an Amazon Q service is asked for, and the types of its messages. */
const AMAZON_Q_HEADERS = {
  'content-type': 'application/x-amz-json-1.0',
  accept: 'application/vnd.amazon.eventstream',
  'x-amz-target': 'AmazonCodeWhispererStreamingService.GenerateAssistantResponse',
} as const
const ANTHROPIC_VERSION = '2023-06-01'

/** What a client's request may bring to an upstream of its own dialect. */
const FORWARDED = ['anthropic-beta', 'anthropic-version'] as const

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

/** The headers of a translated call: ours and the upstream's, nothing of the client's but what its dialect needs. */
export function callHeaders(upstream: Upstream, client: RequestHeaders): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    // An encoded stream would have to be decoded before its events can be read.
    'accept-encoding': 'identity',
    'user-agent': USER_AGENT,
    ...dialectHeaders(upstream, client),
    ...keyHeaders(upstream),
    ...upstream.headers,
  }
}

function dialectHeaders({ dialect }: Upstream, client: RequestHeaders): Record<string, string> {
  switch (dialect) {
    case 'anthropic':
      return anthropicHeaders(client)
    case 'amazon-q':
      return AMAZON_Q_HEADERS
    case 'openai-chat':
      return {}
  }
}

function anthropicHeaders(client: RequestHeaders): Record<string, string> {
  const headers: Record<string, string> = { 'anthropic-version': ANTHROPIC_VERSION }
  for (const name of FORWARDED) {
    const value = headerOf(client, name)
    if (value !== undefined) headers[name] = value
  }
  return headers
}

function keyHeaders({ key, profile: { keyHeader } }: Upstream): Record<string, string> {
  if (key === undefined) return {}
  return { [keyHeader]: keyHeader === 'authorization' ? `Bearer ${key.reveal()}` : key.reveal() }
}

/**
 * The headers of a call that goes through unchanged: the client's, without those of its connection to us.
 * Our own key is meant for us only, whichever header it came in.
 */
export function passthroughHeaders(
  client: RequestHeaders,
  ownKey: Secret | undefined,
): Record<string, string> {
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
