/** The words of every answer in these tests. */
export const WORDS: readonly string[] = [
  'Guten',
  ' Tag',
  ', 🐉 hier',
  ' ist\n',
  '"Hydra"',
  ' für',
  ' dich',
  '.',
]

/** What a client has read when it has read all of them. */
export const GOLDEN: string = WORDS.join('')

/** One event of a chat stream. */
export function chatEvent(delta: object, finish: string | null = null): string {
  return `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
}

/** The head of an answer in chunks, after which the connection can be used again. */
export const CHUNKED_HEAD =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'

/** The head of an answer whose end is the end of the connection. */
export const CLOSING_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n'

/** One piece of a body in HTTP's chunks. */
export function chunked(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}

/** A whole answer of these events, head and end included. */
export function answerOf(events: readonly string[]): string {
  return `${CHUNKED_HEAD}${events.map(chunked).join('')}0\r\n\r\n`
}

/** The same without chunks: only the end of the connection tells where it ends. */
export function bareAnswerOf(events: readonly string[]): string {
  return CLOSING_HEAD + events.join('')
}
