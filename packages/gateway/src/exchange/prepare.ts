import { anthropic, type DecodedRequest, HubError, type HubRequest, toHubError } from '@hydra/core'
import type { GatewayContext } from '../context.ts'
import { passUnread } from '../route/pass-unread.ts'
import { pickRoute, type Route } from '../route/route.ts'
import type { Taping } from '../taping/taping.ts'
import { type Exchange, headerOf, type RequestBody } from './exchange.ts'
import { parseBytes } from './parse-bytes.ts'
import type { Recorder } from './recorder.ts'

/** A request that was read, checked and routed. */
export interface PreparedRequest {
  readonly request: HubRequest
  readonly route: Route
  /** The body as it came, for routes that pass it on unchanged. */
  readonly body: Uint8Array
}

/** Reads and checks a Messages request and finds its route. */
export async function prepare<Native>(
  exchange: Exchange<Native>,
  context: GatewayContext<Native>,
  recorder: Recorder<Native>,
): Promise<PreparedRequest> {
  const { value, body } = await readJson(exchange, context, recorder.taping)
  const { headers } = exchange
  const { routes } = context.options
  const bytes = body.byteLength
  const decoded = decode(value)
  if (decoded instanceof HubError) {
    const unread = passUnread(routes, { value, headers, bytes })
    if (unread === undefined) throw decoded
    recorder.request(unread.request)
    return { ...unread, body }
  }
  const { request, notes } = decoded
  recorder.request(request)
  const route = pickRoute(routes, { request, headers, bytes })
  // What goes on unchanged loses nothing, whatever our decoder made of it.
  if (!route.passthrough) recorder.decoded(notes)
  return { request, route, body }
}

function decode(value: unknown): DecodedRequest | HubError {
  try {
    return anthropic.client.decodeRequest(value)
  } catch (thrown) {
    return toHubError(thrown)
  }
}

const ENCODER = new TextEncoder()

/** The JSON body of a request, parsed, and as it came; what a framework has parsed is written anew. */
export async function readJson<Native>(
  exchange: Exchange<Native>,
  context: GatewayContext<Native>,
  taping?: Taping,
): Promise<{ value: unknown; body: Uint8Array }> {
  expectJson(exchange)
  const body: RequestBody = await exchange.readBody(context.limits.body)
  const { method, path, query, headers, parse = parseBytes } = exchange
  const raw = 'bytes' in body ? body.bytes : ENCODER.encode(JSON.stringify(body.value))
  taping?.tape.clientRequest({ method, path: path + query, headers }, raw)
  return { value: 'bytes' in body ? parse(body.bytes) : body.value, body: raw }
}

/** A form on a web page cannot send this type, so asking for it keeps web pages out. */
function expectJson({ headers }: Exchange): void {
  const type = headerOf(headers, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    throw new HubError(
      'invalid_request_error',
      `content-type: expected application/json, got ${type ?? 'none'}`,
      {
        status: 415,
      },
    )
  }
  const encoding = headerOf(headers, 'content-encoding')
  if (encoding === undefined || encoding === 'identity') return
  throw new HubError('invalid_request_error', `content-encoding: expected none, got ${encoding}`, {
    status: 415,
  })
}
