import type { ServerResponse } from 'node:http'
import type { Script } from './upstream.ts'

/** What a scripted model says. */
export interface Answer {
  readonly text?: string
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: object }[]
}

const USAGE = {
  prompt_tokens: 1200,
  completion_tokens: 34,
  total_tokens: 1234,
  prompt_tokens_details: { cached_tokens: 1000 },
}

/** Answers as the request asks for it: as a stream, or in one body. */
export function answer(content: Answer): Script {
  return ({ body }, response) => (body.stream ? streamed(content, response) : whole(content, response))
}

/** Refuses with a status and an error in OpenAI's form. */
export function refuse(status: number, error: object, headers: Record<string, string> = {}): Script {
  return (_seen, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ error }))
  }
}

/** Begins a stream; what follows is the test's. */
export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  writeChunk(response, { role: 'assistant', content: '' })
}

/** Writes one chunk of a stream. */
export function writeChunk(response: ServerResponse, delta: object, finish: string | null = null): void {
  writeEvent(response, { choices: [{ index: 0, delta, finish_reason: finish }] })
}

/** Ends a stream as it should. */
export function endStream(response: ServerResponse, finish: string = 'stop'): void {
  writeChunk(response, {}, finish)
  writeEvent(response, { choices: [], usage: USAGE })
  response.end('data: [DONE]\n\n')
}

const HEAD = { id: 'c1', model: 'm-large-2026', object: 'chat.completion.chunk' }

function writeEvent(response: ServerResponse, value: object): void {
  response.write(`data: ${JSON.stringify({ ...HEAD, ...value })}\n\n`)
}

function streamed({ text = '', calls = [] }: Answer, response: ServerResponse): void {
  beginStream(response)
  for (const word of text.match(/\s*\S+/g) ?? []) writeChunk(response, { content: word })
  for (const [index, { id, name, input }] of calls.entries()) {
    writeChunk(response, {
      tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }],
    })
    for (const piece of JSON.stringify(input).match(/.{1,5}/g) ?? []) {
      writeChunk(response, { tool_calls: [{ index, function: { arguments: piece } }] })
    }
  }
  endStream(response, calls.length > 0 ? 'tool_calls' : 'stop')
}

function whole({ text, calls = [] }: Answer, response: ServerResponse): void {
  const made = calls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  const message = { role: 'assistant', content: text ?? null, ...(made.length > 0 && { tool_calls: made }) }
  const finish = made.length > 0 ? 'tool_calls' : 'stop'
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({ id: 'c1', choices: [{ index: 0, message, finish_reason: finish }], usage: USAGE }),
  )
}
