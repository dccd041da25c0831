import type { IncomingMessage, ServerResponse } from 'node:http'
import { ByteQueue, type ClientDialect, HubError } from '@hydra/core'
import type { Exchange, RequestBody } from '../exchange/exchange.ts'
import { NodeResponder } from './node-responder.ts'
import { RepeatedParts } from './repeated-parts.ts'

/** What a framework knows of a request beyond Node's own objects. */
export interface NodeBinding<Native> {
  /** The URL below the mount point, with its query. */
  readonly url: string
  readonly native: Native
  /** The body, if the framework has read it already: parsed, or as bytes. */
  readonly body?: unknown
}

/** One for the whole process: what it remembers is the same for every server. */
const repeatedParts = new RepeatedParts()
const parse = (bytes: Uint8Array, { repeats }: ClientDialect): unknown => repeatedParts.parse(bytes, repeats)

/** An exchange over Node's own request and response. */
export function nodeExchange<Native>(
  request: IncomingMessage,
  response: ServerResponse,
  { url, native, body }: NodeBinding<Native>,
): Exchange<Native> {
  const queryAt = url.indexOf('?')
  return {
    method: request.method ?? 'GET',
    path: (queryAt === -1 ? url : url.slice(0, queryAt)) || '/',
    query: queryAt === -1 ? '' : url.slice(queryAt),
    headers: request.headers,
    native,
    reply: new NodeResponder(response),
    readBody: (limit) => (isParsed(request, body) ? parsedBody(body) : readBody(request, limit)),
    parse,
  }
}

/** Frameworks put a placeholder where they have not read anything. */
function isParsed(request: IncomingMessage, body: unknown): boolean {
  return body !== undefined && body !== null && (request.readableEnded || request.readableDidRead)
}

async function parsedBody(body: unknown): Promise<RequestBody> {
  if (body instanceof Uint8Array) return withMark(body)
  return typeof body === 'string' ? withMark(Buffer.from(body)) : { value: body }
}

const OPENING_BRACE = 0x7b

/** Express's parsers unpack what they read: no JSON object that is still packed begins with this byte. */
function withMark(bytes: Uint8Array): RequestBody {
  return bytes[0] === OPENING_BRACE ? { bytes, isUnpacked: true } : { bytes }
}

function readBody(request: IncomingMessage, limit: number): Promise<RequestBody> {
  return new Promise((resolve, reject) => {
    const pieces = new ByteQueue()
    const collect = (piece: Buffer): void => {
      if (pieces.length + piece.length > limit) refuse()
      else pieces.push(piece)
    }
    const complete = (): void => {
      leave()
      resolve({ bytes: pieces.take() })
    }
    const cutOff = (): void => {
      leave()
      reject(new HubError('invalid_request_error', 'the request was cut off'))
    }
    const refuse = (): void => {
      leave()
      // Node throws away what still comes, so that the client gets to read the answer.
      request.resume()
      reject(new HubError('request_too_large', `the request is larger than ${limit} bytes`))
    }
    // The request lives as long as its answer; the body it has read need not.
    const leave = (): void => {
      request.off('data', collect).off('end', complete).off('error', cutOff).off('close', cutOff)
    }
    request.on('end', complete).on('error', cutOff).on('close', cutOff)
    if (request.destroyed) cutOff()
    else if (Number(request.headers['content-length'] ?? 0) > limit) refuse()
    else request.on('data', collect)
  })
}
