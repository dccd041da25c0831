import { canonicalBody, withoutBillingMark } from './canonical-body.ts'
import { type Aliases, type Conversation, conversationOf } from './conversation.ts'
import { isRecord } from './first-difference.ts'
import { hashOf } from './hash-of.ts'
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

/** The endpoints of the dialects, behind whatever the address of a provider begins with. */
const ENDPOINT = /\/(?:chat\/completions|messages(?:\/count_tokens)?|models(?:\/[^/]+)?)$/

/** Brings a request into the form in which it is compared; `aliases` for those that just came. */
export function canonicalRequest(request: WireRequest, aliases?: Aliases): CanonicalRequest {
  const [, query = ''] = request.path.split('?', 2)
  const route = routeOf(request)
  const body = canonicalBody(parseBody(request.body))
  return {
    route,
    query: canonicalQuery(query),
    body,
    key: hashOf([route, canonicalQuery(query), withoutBillingMark(body)]),
    wantsStream: isRecord(body) && body['stream'] === true,
    model: isRecord(body) ? body['model'] : undefined,
    conversation: conversationOf(body, aliases),
  }
}

/** What a request asks for, whatever address the provider has. */
export function routeOf({ method, path }: Pick<WireRequest, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${endpointOf(path.split('?', 1)[0] ?? '')}`
}

/** The endpoint that a path ends in, or the path if it is none of the known ones. */
export function endpointOf(path: string): string {
  return ENDPOINT.exec(path)?.[0] ?? path
}

/** Clients say `beta=true` or not, depending on their release. */
function canonicalQuery(query: string): string {
  const fields = new URLSearchParams(query)
  fields.delete('beta')
  fields.sort()
  return fields.toString()
}
