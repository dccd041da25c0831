/** The head of an answer whose end is the end of the connection. */
export const CLOSING_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n'

/** The head of an answer that comes in chunks, after which the connection can be used again. */
export const CHUNKED_HEAD =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'

/** The last chunk. */
export const LAST_CHUNK = '0\r\n\r\n'

/** One piece of a body in HTTP's chunks. */
export function chunked(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}

/** One event of a chat stream with this text. */
export function textEvent(text: string): string {
  return event({
    id: 'c1',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { content: text } }],
  })
}

/** The event with which a chat stream says that it is finished. */
export const FINISH = event({ id: 'c1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })

const USAGE = event({
  id: 'c1',
  choices: [],
  usage: { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 },
})

/** The events of a short answer, as an upstream sends them. */
export const EVENTS: readonly string[] = [
  event({ id: 'c1', choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] }),
  ...['Guten', ' Tag', ', 🐉 here', ' is\n', '"Hydra"', ' for', ' you', '.'].map(textEvent),
  FINISH,
  USAGE,
  'data: [DONE]\n\n',
]

/** A whole answer in chunks, head and end included. */
export const WHOLE_ANSWER: string = CHUNKED_HEAD + EVENTS.map(chunked).join('') + LAST_CHUNK

/** A whole answer of any status with a JSON body. */
export function jsonAnswer(status: number, body: unknown, headers: readonly string[] = []): string {
  const text = JSON.stringify(body)
  const lines = [
    `HTTP/1.1 ${status} Whatever`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
    ...headers,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${text}`
}

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}
