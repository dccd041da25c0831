import { ByteQueue, HubError } from '@hydra/core'
import type { Exchange, RequestBody } from '../exchange/exchange.ts'
import type { FetchBinding } from '../gateway.ts'
import { WebResponder } from './web-responder.ts'

/** Answers a web-standard request through an exchange. */
export function webFetch<Native>(
  request: Request,
  handle: (exchange: Exchange<Native>) => Promise<void>,
  { prefix = '', native, body, broken }: FetchBinding<Native> = {},
): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const reply = new WebResponder(request.signal, broken)
  const exchange: Exchange<Native> = {
    method: request.method,
    path: pathBelow(prefix, pathname),
    query: search,
    headers: Object.fromEntries(request.headers),
    native: native as Native,
    reply,
    readBody: (limit) => body?.() ?? readBody(request, limit),
  }
  handle(exchange).catch((error: unknown) => reply.fail(error))
  return reply.response
}

/** The part of a path below a mount point. */
export function pathBelow(prefix: string, path: string): string {
  const mount = prefix.replace(/\/+$/, '')
  const below = path.startsWith(mount) ? path.slice(mount.length) : path
  return below.startsWith('/') ? below : `/${below}`
}

async function readBody(request: Request, limit: number): Promise<RequestBody> {
  const tooLarge = new HubError('request_too_large', `the request is larger than ${limit} bytes`)
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge
  const pieces = new ByteQueue()
  for await (const piece of request.body ?? []) {
    if (pieces.length + piece.byteLength > limit) throw tooLarge
    pieces.push(piece)
  }
  return { bytes: pieces.take() }
}
