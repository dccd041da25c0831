import { createServer, type ServerResponse } from 'node:http'

/** How the scripted upstream sends its events, told by the last part of the request's model name. */
type Pace = (response: ServerResponse, events: readonly Buffer[]) => void

const port = Number(process.argv[2])
const pace = process.argv[3] ?? 'burst'
const eventCount = Number(process.argv[4] ?? 340)

/** Everything at once, an event every two milliseconds, or ten events a second. */
const PACES: Readonly<Record<string, Pace>> = {
  burst: (response, events) => response.end(Buffer.concat(events)),
  flow: (response, events) => drip(response, events, 2),
  slow: (response, events) => drip(response, events, 100),
}

createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    PACES[pace]?.(response, EVENTS)
  })
}).listen(port, '127.0.0.1')

function drip(response: ServerResponse, events: readonly Buffer[], milliseconds: number): void {
  let next = 0
  const timer = setInterval(() => {
    const event = events[next]
    next += 1
    if (event !== undefined && !response.destroyed) response.write(event)
    if (next < events.length && !response.destroyed) return
    clearInterval(timer)
    response.end()
  }, milliseconds)
}

const EVENTS = eventsOf(eventCount)

function eventsOf(count: number): Buffer[] {
  const words = Array.from({ length: count - 3 }, (_, index) =>
    chunk({ content: ` word${index % 97}` }, null),
  )
  const usage = { prompt_tokens: 20_000, completion_tokens: count, total_tokens: 20_000 + count }
  const texts = [
    chunk({ role: 'assistant', content: '', refusal: null }, null),
    ...words,
    chunk({}, 'stop'),
    `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', choices: [], usage })}\n\ndata: [DONE]\n\n`,
  ]
  return texts.map((text) => Buffer.from(text))
}

function chunk(delta: object, finish: string | null): string {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }]
  const head = {
    id: 'chatcmpl-bench',
    object: 'chat.completion.chunk',
    created: 1_760_000_000,
    model: 'gpt-bench',
  }
  return `data: ${JSON.stringify({ ...head, system_fingerprint: 'fp_bench', choices, usage: null })}\n\n`
}
