import { isQueryKey, plainCall } from '@hydra/core'
import { type AskedEndpoint, askedEndpoint } from './asked-endpoint.ts'
import { canonicalBody, withoutBillingMark } from './canonical-body.ts'
import { type Aliases, type Conversation, conversationOf } from './conversation.ts'
import { hashOf } from './hash-of.ts'
import { normalized, type NormalizeRule } from './normalize.ts'
import { parseBody } from './parse-body.ts'

/** A request as it came over the wire, or as it is on a tape. */
export interface WireRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly body: Uint8Array
}

/** A request in the form in which it is compared. */
export interface CanonicalRequest {
  /** What is asked for, whatever address the provider has: `POST /chat/completions`. */
  readonly route: string
  readonly query: string
  /** The canonical body: a value if it is JSON, else its text. */
  readonly body: unknown
  /** The same for all requests that are the same but for what changes from run to run. */
  readonly key: string
  /** Whether the answer is to be a stream. */
  readonly wantsStream: boolean
  readonly model: unknown
  readonly conversation: Conversation | undefined
}

/** How a request is brought into the form in which it is compared. */
export interface CanonicalRules {
  /** For requests that just came. */
  readonly aliases?: Aliases
  /** What is replaced in all texts of the body. */
  readonly normalize?: readonly NormalizeRule[]
}

/** Brings a request into the form in which it is compared. */
export function canonicalRequest(
  request: WireRequest,
  { aliases, normalize = [] }: CanonicalRules = {},
): CanonicalRequest {
  const [, query = ''] = request.path.split('?', 2)
  const route = routeOf(request)
  const parsed = normalized(parseBody(request.body), normalize)
  const body = canonicalBody(parsed)
  const asked = askedEndpoint(request.path)
  return {
    route,
    query: canonicalQuery(query),
    body,
    key: hashOf([route, canonicalQuery(query), withoutBillingMark(body)]),
    ...wishesOf(parsed, asked),
    conversation: conversationOf(spokenBody(parsed, asked) ?? body, aliases),
  }
}

/** What a request asks for, whatever address the provider has. */
export function routeOf({ method, path }: Pick<WireRequest, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${askedEndpoint(path)?.route ?? path.split('?', 1)[0] ?? ''}`
}

/** The model and whether a stream is wanted, as the dialect says it; nothing if it cannot be read. */
function wishesOf(
  body: unknown,
  asked: AskedEndpoint | undefined,
): Pick<CanonicalRequest, 'model' | 'wantsStream'> {
  try {
    const parts = asked?.client.routedParts({ body, params: asked.params })
    return { model: parts?.model, wantsStream: parts?.stream === true }
  } catch {
    return { model: undefined, wantsStream: false }
  }
}

/** The canonical body in the hub's form, in which all dialects say their turns alike; undefined if it is not understood. */
function spokenBody(body: unknown, asked: AskedEndpoint | undefined): unknown {
  if (asked?.endpoint.purpose !== 'generate') return undefined
  try {
    const { request } = asked.client.decodeRequest(plainCall(body, { params: asked.params }))
    return canonicalBody(request)
  } catch {
    return undefined
  }
}

/** Clients say `beta=true` or not, depending on their release, and some write their key here. */
function canonicalQuery(query: string): string {
  const fields = [...new URLSearchParams(query)].filter(([name]) => name !== 'beta' && !isQueryKey(name))
  const kept = new URLSearchParams(fields)
  kept.sort()
  return kept.toString()
}
