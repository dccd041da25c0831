import {
  type ClientCall,
  type ClientReply,
  type DecodedRequest,
  headerOf,
  HubError,
  type HubRequest,
  toHubError,
} from '@hydra/core'
import type { GatewayContext } from '../context.ts'
import { passUnread } from '../route/pass-unread.ts'
import { pickRoute, type Route } from '../route/route.ts'
import type { Taping } from '../taping/taping.ts'
import { withoutKeys } from '../query.ts'
import { clientCall } from './client-call.ts'
import type { DialectExchange, Exchange, RequestBody } from './exchange.ts'
import { parseBytes } from './parse-bytes.ts'
import type { ExchangeReporter } from './exchange-reporter.ts'

/** A request that was read, checked and routed. */
export interface PreparedRequest {
  readonly request: HubRequest
  /** How the client wants its answer. */
  readonly clientReply: ClientReply
  readonly route: Route
  /** The body as it came, for routes that pass it on unchanged. */
  readonly body: Uint8Array
}

/** Reads and checks a request and finds its route. */
export async function prepare<Native>(
  exchange: DialectExchange<Native>,
  context: GatewayContext<Native>,
  reporter: ExchangeReporter<Native>,
): Promise<PreparedRequest> {
  const { value, body } = await readJson(exchange, context, reporter.taping)
  const { headers } = exchange
  const { routes } = context.options
  const bytes = body.byteLength
  const call = clientCall(exchange, context, value)
  const decoded = decode(exchange, call)
  if (decoded instanceof HubError) {
    const unread = passUnread(routes, { caller: exchange.caller, call, bytes })
    if (unread === undefined) throw decoded
    reporter.request(unread.request)
    return { ...unread, clientReply: {}, body }
  }
  const { request, reply: clientReply, notes } = decoded
  reporter.request(request)
  const route = pickRoute(routes, { request, headers, bytes })
  // What goes on unchanged loses nothing, whatever our decoder made of it.
  if (!route.passthrough) reporter.decoded(notes)
  return { request, clientReply, route, body }
}

function decode({ caller }: DialectExchange, call: ClientCall): DecodedRequest | HubError {
  try {
    return caller.client.decodeRequest(call)
  } catch (thrown) {
    return toHubError(thrown)
  }
}

const ENCODER = new TextEncoder()

/** The JSON body of a request, parsed, and as it came; what a framework has parsed is written anew. */
export async function readJson<Native>(
  exchange: DialectExchange<Native>,
  context: GatewayContext<Native>,
  taping?: Taping,
): Promise<{ value: unknown; body: Uint8Array }> {
  expectJson(exchange)
  const body: RequestBody = await exchange.readBody(context.limits.body)
  const { method, path, query, headers, caller, parse = parseBytes } = exchange
  const raw = 'bytes' in body ? body.bytes : ENCODER.encode(JSON.stringify(body.value))
  taping?.tape.clientRequest(
    { method, path: path + withoutKeys(query), headers, dialect: caller.dialect },
    raw,
  )
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
