import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MessageCreateParams, MessageParam } from '@anthropic-ai/sdk/resources/messages'

/** A call of a scripted answer. */
export interface AnthropicCall {
  readonly name: string
  readonly input: object
}

/** What a scripted Anthropic answers. */
export interface AnthropicAnswer {
  readonly text?: string
  readonly calls?: readonly AnthropicCall[]
}

/** Plays the model of Anthropic: what it answers to a request. */
export type AnthropicModel = (body: MessageCreateParams) => AnthropicAnswer

/** A request that reached the scripted Anthropic. */
export interface AskedOfAnthropic {
  readonly headers: IncomingHttpHeaders
  readonly body: MessageCreateParams
}

/** An upstream that speaks Anthropic's dialect: streams only. */
export interface AnthropicUpstream {
  readonly url: string
  /** What came since the model was last changed. */
  readonly received: readonly AskedOfAnthropic[]
  play(model: AnthropicModel): void
  close(): void
}

/** Starts a scripted Anthropic on a free port. */
export async function startAnthropicUpstream(): Promise<AnthropicUpstream> {
  const received: AskedOfAnthropic[] = []
  let model: AnthropicModel = idle
  let asked = 0
  const server = createServer(async (request, response) => {
    asked += 1
    const number = asked
    const body = await bodyOf(request)
    received.push({ headers: request.headers, body })
    answer(response, body, { model, number })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    play(next) {
      model = next
      received.length = 0
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function idle(): AnthropicAnswer {
  return { text: 'no session has begun' }
}

/** The texts that the user's side has said, those of results among them. */
export function userTexts({ messages }: MessageCreateParams): readonly string[] {
  return messages.flatMap((message) => (message.role === 'user' ? textsOf(message.content) : []))
}

function textsOf(content: MessageParam['content'] | undefined): readonly string[] {
  if (content === undefined || typeof content === 'string') return content === undefined ? [] : [content]
  return content.flatMap((block) => {
    if (block.type === 'text') return [block.text]
    return block.type === 'tool_result' ? textsOf(block.content as MessageParam['content']) : []
  })
}

interface Asked {
  readonly model: AnthropicModel
  readonly number: number
}

async function bodyOf(request: IncomingMessage): Promise<MessageCreateParams> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return JSON.parse(Buffer.concat(pieces).toString()) as MessageCreateParams
}

function answer(response: ServerResponse, body: MessageCreateParams, { model, number }: Asked): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'request-id': `req_anthropic_${number}`,
  })
  for (const event of eventsOf(model(body), { model: body.model, number })) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  }
  response.end()
}

interface Head {
  readonly model: string
  readonly number: number
}

interface StreamEvent {
  readonly type: string
  readonly [field: string]: unknown
}

function* eventsOf({ text, calls = [] }: AnthropicAnswer, { model, number }: Head): Generator<StreamEvent> {
  const head = { id: `msg_anthropic_${number}`, type: 'message', role: 'assistant', model, content: [] }
  const usage = { input_tokens: 900, output_tokens: 1 }
  yield { type: 'message_start', message: { ...head, stop_reason: null, stop_sequence: null, usage } }
  yield { type: 'ping' }
  let index = 0
  if (text !== undefined) {
    const delta = { type: 'text_delta', text }
    yield* blockEvents(index, { type: 'text', text: '' }, delta)
    index += 1
  }
  for (const { name, input } of calls) {
    const start = { type: 'tool_use', id: `toolu_anthropic_${number}_${index}`, name, input: {} }
    yield* blockEvents(index, start, { type: 'input_json_delta', partial_json: JSON.stringify(input) })
    index += 1
  }
  const reason = calls.length > 0 ? 'tool_use' : 'end_turn'
  yield {
    type: 'message_delta',
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: 20 },
  }
  yield { type: 'message_stop' }
}

function* blockEvents(index: number, start: object, delta: object): Generator<StreamEvent> {
  yield { type: 'content_block_start', index, content_block: start }
  yield { type: 'content_block_delta', index, delta }
  yield { type: 'content_block_stop', index }
}
