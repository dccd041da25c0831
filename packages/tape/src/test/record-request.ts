import { withoutQueryKeys } from '@hydra/core'
import { askedEndpoint } from '../match/asked-endpoint.ts'
import { parseBody } from '../match/parse-body.ts'
import type { ExchangeRecorder } from '../write/traffic.ts'
import type { Via } from '../format/lines.ts'

/** What `fetch` did for a body before it was read, so it is not true of the bytes on the tape. */
const UNDONE = ['content-encoding', 'content-length', 'transfer-encoding']

/** Sends a request by `fetch` and records it with its answer, piece by piece as the program reads it. */
export async function recordRequest(
  request: Request,
  send: typeof fetch,
  exchange: ExchangeRecorder,
): Promise<Response> {
  const body = new Uint8Array(await request.clone().arrayBuffer())
  const { pathname, search, host } = new URL(request.url)
  const asked = askedEndpoint(pathname)
  const dialect = asked?.dialect
  const head = {
    method: request.method,
    path: withoutQueryKeys(pathname + search),
    headers: Object.fromEntries(request.headers),
  }
  exchange.clientRequest(dialect === undefined ? head : { ...head, dialect }, body)
  exchange.upstreamRequest(head, body, {
    upstream: host,
    dialect: dialect ?? 'unknown',
    passthrough: true,
    ...modelOf(asked, body),
  })
  const response = await send(request).catch((thrown: unknown) => {
    fail(exchange, request, thrown)
    throw thrown
  })
  return recordedResponse(response, request, exchange)
}

function modelOf(asked: ReturnType<typeof askedEndpoint>, body: Uint8Array): Pick<Via, 'model'> {
  try {
    const model = asked?.client.routedParts({ body: parseBody(body), params: asked.params }).model
    return model === undefined ? {} : { model }
  } catch {
    return {}
  }
}

function recordedResponse(response: Response, request: Request, exchange: ExchangeRecorder): Response {
  const { status, statusText, url } = response
  const headers = new Headers(response.headers)
  for (const name of UNDONE) headers.delete(name)
  exchange.upstreamHead(status, Object.fromEntries(headers))
  exchange.clientHead(status, Object.fromEntries(headers))
  if (response.body === null) end(exchange)
  const body = response.body === null ? null : recordedBody(response.body, request, exchange)
  const copy = new Response(body, { status, statusText, headers })
  // A `Response` that somebody makes has no address; programs that look at it want that of the answer.
  return Object.defineProperty(copy, 'url', { value: url })
}

function recordedBody(
  source: ReadableStream<Uint8Array>,
  request: Request,
  exchange: ExchangeRecorder,
): ReadableStream<Uint8Array> {
  const reader = source.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) {
            end(exchange)
            controller.close()
            return
          }
          exchange.upstreamData(Uint8Array.from(value))
          exchange.clientData(Uint8Array.from(value))
          controller.enqueue(value)
        } catch (thrown) {
          fail(exchange, request, thrown)
          controller.error(thrown)
        }
      },
      async cancel(reason) {
        exchange.abort('client')
        exchange.done('aborted')
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

function end(exchange: ExchangeRecorder): void {
  exchange.upstreamEnd()
  exchange.clientEnd()
  exchange.done('answered')
}

function fail(exchange: ExchangeRecorder, { signal }: Request, thrown: unknown): void {
  if (signal.aborted) {
    exchange.abort('client')
    exchange.done('aborted')
    return
  }
  exchange.abort('upstream', thrown instanceof Error ? thrown.message : String(thrown))
  exchange.done('failed')
}
