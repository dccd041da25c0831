import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerTo, type DemoAnswer, type DemoRequest } from './demo-model.ts'

/** How fast the demo types, in milliseconds per piece. */
const TYPING_PAUSE = 15

/** A running demo upstream. */
export interface DemoUpstream {
  readonly url: string
  close(): void
}

/** Starts the built-in upstream on a free loopback port: a scripted model that answers, streams and calls tools. */
export async function startDemoUpstream(): Promise<DemoUpstream> {
  const server = createServer((request, response) => {
    // The port is open to the whole machine: what comes in need not be ours.
    answer(request, response).catch(() => response.writeHead(400).end())
  })
  // Workers have a demo each: one that is shared could be drained under another's feet.
  await new Promise<void>((resolve) => {
    server.listen({ port: 0, host: '127.0.0.1', exclusive: true }, resolve)
  })
  // The demo must not keep a process alive that has nothing else to do.
  server.unref()
  return { url: `http://127.0.0.1:${portOf(server)}/v1`, close: () => server.close() }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  await respond(JSON.parse(Buffer.concat(pieces).toString()) as DemoRequest, response)
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

async function respond(request: DemoRequest, response: ServerResponse): Promise<void> {
  const said = answerTo(request)
  const usage = usageOf(request, said)
  if (!request.stream) {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({
        choices: [{ index: 0, message: messageOf(said), finish_reason: finishOf(said) }],
        usage,
      }),
    )
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const delta of deltasOf(said)) {
    if (response.destroyed) return
    write(response, { choices: [{ index: 0, delta, finish_reason: null }] })
    // oxlint-disable-next-line no-await-in-loop -- typing takes time
    await new Promise((resolve) => setTimeout(resolve, TYPING_PAUSE))
  }
  write(response, { choices: [{ index: 0, delta: {}, finish_reason: finishOf(said) }] })
  write(response, { choices: [], usage })
  response.end('data: [DONE]\n\n')
}

function write(response: ServerResponse, chunk: object): void {
  response.write(
    `data: ${JSON.stringify({ id: 'chatcmpl-demo', object: 'chat.completion.chunk', ...chunk })}\n\n`,
  )
}

function* deltasOf({ text, call }: DemoAnswer): Generator<object> {
  for (const word of text.match(/\s*\S+/g) ?? []) yield { content: word }
  if (call === undefined) return
  const { id, name, input } = call
  yield { tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: '' } }] }
  for (const piece of JSON.stringify(input).match(/.{1,12}/gs) ?? []) {
    yield { tool_calls: [{ index: 0, function: { arguments: piece } }] }
  }
}

function messageOf({ text, call }: DemoAnswer): object {
  if (call === undefined) return { role: 'assistant', content: text }
  const { id, name, input } = call
  const made = { id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
  return { role: 'assistant', content: text, tool_calls: [made] }
}

function finishOf({ call }: DemoAnswer): string {
  return call === undefined ? 'stop' : 'tool_calls'
}

function usageOf(request: DemoRequest, said: DemoAnswer): object {
  const prompt = Math.ceil(JSON.stringify(request.messages).length / 4)
  const completion = Math.ceil(JSON.stringify(said).length / 4)
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}
