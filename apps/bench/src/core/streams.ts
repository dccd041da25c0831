import { TextSource } from './text-source.ts'

const encoder = new TextEncoder()
const PIECES = 2000

/** The events of one answer as an upstream sends them: what opens it, its many pieces, what closes it. */
export interface AnswerStream {
  readonly opening: Uint8Array
  /** The JSON of each piece's chunk, without the frame of its event. */
  readonly chunks: readonly string[]
  readonly closing: Uint8Array
}

/** An answer of text, a word or so per event; its chunks differ in nothing else. */
export function textStream(): AnswerStream {
  const source = new TextSource()
  return textAnswer(() => chunk({ content: ` ${source.word()}` }))
}

/** The same with a field of random length in each chunk, as OpenAI sends it to hide the length of words. */
export function obfuscatedStream(): AnswerStream {
  const source = new TextSource()
  return textAnswer(() => {
    const padding = source
      .below(36 ** 5)
      .toString(36)
      .slice(source.below(5))
    return chunk({ content: ` ${source.word()}` }, { obfuscation: padding })
  })
}

function textAnswer(piece: () => string): AnswerStream {
  return {
    opening: event(chunk({ role: 'assistant', content: '' })),
    chunks: Array.from({ length: PIECES }, piece),
    closing: closing('stop'),
  }
}

/** An answer that is one call with long arguments: a file to be written, a word or so per event. */
export function argumentsStream(): AnswerStream {
  const source = new TextSource()
  const call = { index: 0, id: 'call_aBcDeFgHiJkLmNoPqRsTuVwX', type: 'function' }
  const start = { name: 'Write', arguments: '' }
  return {
    opening: joined([
      event(chunk({ role: 'assistant', content: null, tool_calls: [{ ...call, function: start }] })),
      event(argumentsChunk('{"file_path":"/src/store.ts","content":"')),
    ]),
    chunks: Array.from({ length: PIECES }, () => {
      const escaped = JSON.stringify(` ${source.word()}`).slice(1, -1)
      return argumentsChunk(escaped)
    }),
    closing: joined([event(argumentsChunk('"}')), closing('tool_calls')]),
  }
}

/** The pieces of an answer as reads from a socket, so many events in each. */
export function reads({ chunks }: AnswerStream, eventsPerRead: number): readonly Uint8Array[] {
  const bytes: Uint8Array[] = []
  for (let start = 0; start < chunks.length; start += eventsPerRead) {
    bytes.push(joined(chunks.slice(start, start + eventsPerRead).map(event)))
  }
  return bytes
}

function argumentsChunk(piece: string): string {
  return chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] })
}

function chunk(delta: object, extra: object = {}, finish: string | null = null): string {
  return JSON.stringify({
    id: 'chatcmpl-BxQ0dZ3m1vYy8uWc5aTn7rLk2PsEf',
    object: 'chat.completion.chunk',
    created: 1_767_225_600,
    model: 'gpt-4.1-2025-04-14',
    service_tier: 'default',
    system_fingerprint: 'fp_a1b2c3d4e5',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...extra,
  })
}

function closing(finish: string): Uint8Array {
  const usage = { prompt_tokens: 20_000, completion_tokens: PIECES, total_tokens: 20_000 + PIECES }
  const counted = JSON.stringify({ object: 'chat.completion.chunk', choices: [], usage })
  return joined([event(chunk({}, {}, finish)), event(counted), event('[DONE]')])
}

function event(data: string): Uint8Array {
  return encoder.encode(`data: ${data}\n\n`)
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
