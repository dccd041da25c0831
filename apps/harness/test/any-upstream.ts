import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import {
  asText,
  blocksOf,
  Collector,
  type DialectName,
  type HubRequest,
  type Memory,
  type MessageSink,
  plainCall,
  registry,
  Router,
  stopFor,
  usageOf,
} from '@hydra/core'
import { TapeMemory } from '@hydra/tape'
import { listening } from './recording-gateway.ts'

/** What a model says to a request. */
export type Model = (sink: MessageSink, request: HubRequest) => void

const USAGE = usageOf({ input_tokens: 11, output_tokens: 22 })

/** Wants to know the weather first, and then says it. */
export const weatherModel: Model = (sink, { messages }) => {
  const results = messages
    .flatMap((message) => blocksOf(message))
    .filter(({ type }) => type === 'tool_result')
  sink.messageStart({ id: `m${messages.length}`, model: 'big', usage: USAGE })
  sink.blockStart({ type: 'text' })
  if (results.length === 0) {
    sink.text('Let me ')
    sink.text('look: ü.')
    sink.blockStop()
    sink.blockStart({ type: 'tool_use', id: 'call_w1', name: 'weather' })
    sink.inputJson('{"city":')
    sink.inputJson('"Paris"}')
  } else {
    sink.text('Sunny,')
    sink.text(' 21 degrees.')
  }
  sink.blockStop()
  sink.messageStop(stopFor(results.length === 0 ? 'tool_use' : 'end_turn'), USAGE)
}

/** An upstream of any dialect that clients speak too, with a model behind it; gives its base URL. */
export function startAnyUpstream(dialect: DialectName, model: Model): Promise<string> {
  const clients = [{ name: dialect, client: registry.client(dialect) }]
  const router = new Router({ clients })
  // Servers of some dialects keep what they have answered.
  const memory = new TapeMemory()
  return listening((request, response) => void answerWith(model, router, { request, response, memory }))
}

interface Exchange {
  readonly memory: Memory
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

async function answerWith(
  model: Model,
  router: Router,
  { request, response, memory }: Exchange,
): Promise<void> {
  const { method = '', headers } = request
  const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://x')
  const { client, params } = router.find({ method, path, headers })
  const query = Object.fromEntries(searchParams)
  const call = plainCall(await json(request), { method, path, params, query, headers, memory })
  const { request: asked, reply } = client.decodeRequest(call)
  if (reply.stream === undefined) {
    const collector = new Collector()
    model(collector, asked)
    const { message } = collector
    const body = message && client.encodeResponse(message, reply)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    return
  }
  const encoder = client.encodeStream(reply)
  model(encoder, asked)
  response.writeHead(200, { 'content-type': reply.stream.contentType }).end(asText(encoder.take()))
}
