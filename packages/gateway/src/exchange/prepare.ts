import {
  type ClientCall,
  type ClientReply,
  type DecodedRequest,
  type DialectName,
  headerOf,
  type HeaderValues,
  HubError,
  type HubRequest,
  type Note,
  type RelayedRequest,
  toHubError,
} from '@hydra/core'
import { type GatewayContext, routesFor } from '../context.ts'
import { speakAlike } from '../route/speak-alike.ts'
import { passUnread } from '../route/pass-unread.ts'
import { pickRoute, type Route } from '../route/route.ts'
import type { Taping } from '../taping/taping.ts'
import { withoutKeys } from '../query.ts'
import { clientCall } from './client-call.ts'
import type { DialectExchange, Exchange, RequestBody } from './exchange.ts'
import { parseBytes } from './parse-bytes.ts'
import type { ExchangeReporter } from './exchange-reporter.ts'
import { explainStackOverflow } from './explain-stack-overflow.ts'
import { createUnpacker } from './unpack.ts'

/** A request that was read, checked and routed. */
export interface PreparedRequest {
  readonly request: HubRequest
  /** How the client wants its answer. */
  readonly clientReply: ClientReply
  readonly route: Route
  /** The body as it came, for routes that pass it on unchanged. */
  readonly body: Uint8Array
  /** What was found when it was decoded, for calls that translate it. */
  readonly notes: readonly Note[]
  /** The request as it came, for upstreams of the client's dialect; absent where it was changed here. */
  readonly relayed?: RelayedRequest | undefined
  /** How many answers are asked for, where it may be more than one. */
  readonly answers?: number | undefined
  /** Why it could not be read, and cannot be translated. */
  readonly unread?: HubError | undefined
}

/** Reads and checks a request and finds its route. */
export async function prepare<Native>({
  exchange,
  context,
  reporter,
  taping,
}: Preparing<Native>): Promise<PreparedRequest> {
  const read = await readJson(exchange, context, taping)
  try {
    const call = await clientCall(exchange, context, read.value)
    return prepareRead(call, read.body, { exchange, context, reporter })
  } catch (thrown) {
    throw explainStackOverflow(thrown, read.value)
  }
}

interface Preparing<Native> {
  readonly exchange: DialectExchange<Native>
  readonly context: GatewayContext<Native>
  readonly reporter: ExchangeReporter<Native>
  readonly taping: Taping | undefined
}

function prepareRead<Native>(
  call: ClientCall,
  body: Uint8Array,
  { exchange, context, reporter }: Omit<Preparing<Native>, 'taping'>,
): PreparedRequest {
  const { headers } = exchange
  const { caller } = exchange
  const { routes, skipped } = routesFor(context, caller.dialect)
  const bytes = body.byteLength
  const decoded = decode(exchange, call)
  if (decoded instanceof HubError) {
    const mayPass = (route: Route): boolean => passesUnread(route, context, caller.dialect)
    const passed = passUnread(routes, { caller, call, bytes, mayPass })
    if (passed === undefined) throw decoded
    reporter.request(passed.request)
    return { ...passed, clientReply: {}, body, notes: [], relayed: { call }, unread: decoded }
  }
  const { request, reply: clientReply, notes } = decoded
  reporter.request(request)
  const route = pickRoute(routes, { request, headers, bytes }, skipped)
  return { request, clientReply, route, body, notes, relayed: { call, request } }
}

function passesUnread<Native>(
  route: Route,
  { options }: GatewayContext<Native>,
  client: DialectName,
): boolean {
  const upstream = options.upstreams[route.upstream]
  return route.passthrough === true || (upstream !== undefined && speakAlike(route, upstream, client))
}

function decode({ caller }: DialectExchange, call: ClientCall): DecodedRequest | HubError {
  try {
    return caller.client.decodeRequest(call)
  } catch (thrown) {
    return toHubError(thrown)
  }
}

const ENCODER = new TextEncoder()
const UNPACKER = createUnpacker()

interface ReadRequest {
  readonly value: unknown
  readonly body: Uint8Array
}

/** The JSON body of a request, parsed, and its bytes, unpacked; what a framework has parsed is written anew. */
export async function readJson<Native>(
  exchange: DialectExchange<Native>,
  context: GatewayContext<Native>,
  taping?: Taping,
): Promise<ReadRequest> {
  expectJson(exchange)
  const encoding = UNPACKER.expect(headerOf(exchange.headers, 'content-encoding'))
  const came: RequestBody = await exchange.readBody(context.limits.body)
  const body = encoding === undefined ? came : await unpacked(came, encoding, context.limits.body)
  const { method, path, query, caller, parse = parseBytes } = exchange
  const raw = 'bytes' in body ? body.bytes : ENCODER.encode(JSON.stringify(body.value))
  const headers = encoding === undefined ? exchange.headers : withoutEncoding(exchange.headers)
  taping?.tape.clientRequest(
    { method, path: path + withoutKeys(query), headers, dialect: caller.dialect },
    raw,
  )
  return { value: 'bytes' in body ? parse(body.bytes, caller.client) : body.value, body: raw }
}

/** What a framework has read it may have unpacked as well, and the header stays as it was. */
async function unpacked(body: RequestBody, encoding: string, limit: number): Promise<RequestBody> {
  if (!('bytes' in body) || body.isUnpacked === true) return body
  return { bytes: await UNPACKER.unpack(body.bytes, encoding, limit) }
}

/** A tape holds what was unpacked, and its headers must say so. */
function withoutEncoding(headers: HeaderValues): HeaderValues {
  return { ...headers, 'content-encoding': undefined }
}

/** A form on a web page cannot send this type, so asking for it keeps web pages out. */
function expectJson({ headers }: Exchange): void {
  const type = headerOf(headers, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type === 'application/json') return
  throw new HubError(
    'invalid_request_error',
    `content-type: expected application/json, got ${type ?? 'none'}`,
    { status: 415 },
  )
}
