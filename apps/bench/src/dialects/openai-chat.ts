import type { AnswerStream, BenchedDialect } from './benched-dialect.ts'
import { eventAnswer, obfuscation } from './server-sent-events.ts'

const HEAD = {
  id: 'chatcmpl-BxQ0dZ3m1vYy8uWc5aTn7rLk2PsEf',
  object: 'chat.completion.chunk',
  created: 1_767_225_600,
  model: 'gpt-4.1-2025-04-14',
  service_tier: 'default',
  system_fingerprint: 'fp_a1b2c3d4e5',
}
const USAGE = { prompt_tokens: 20_000, completion_tokens: 340, total_tokens: 20_340 }
const CALL = { index: 0, id: 'call_aBcDeFgHiJkLmNoPqRsTuVwX', type: 'function' }

/** OpenAI's own API. */
export const openaiChatBenched: BenchedDialect = {
  upstream: {
    contentType: 'text/event-stream',
    text: (pieces) =>
      answer(
        { role: 'assistant', content: '', refusal: null },
        pieces.map((content) => ({ content })),
        'stop',
      ),
    call: (pieces) =>
      answer(
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ ...CALL, function: { name: 'Write', arguments: '' } }],
        },
        pieces.map((json) => ({ tool_calls: [{ index: 0, function: { arguments: json } }] })),
        'tool_calls',
      ),
    whole: (text) => {
      const message = { role: 'assistant', content: text, refusal: null, annotations: [] }
      const choices = [{ index: 0, message, logprobs: null, finish_reason: 'stop' }]
      return JSON.stringify({ ...HEAD, object: 'chat.completion', choices, usage: USAGE })
    },
  },
  client: {
    address: () => ({ path: '/v1/chat/completions', params: {}, query: {} }),
    asking: (stream) => (stream ? { stream, stream_options: { include_usage: true } } : { stream }),
    textEvent: (content) => eventOf({ content }),
    callEvent: (json) => eventOf({ tool_calls: [{ index: 0, function: { arguments: json } }] }),
  },
}

interface Chunk {
  readonly choices: readonly [
    {
      readonly delta: {
        readonly content?: string
        readonly tool_calls?: readonly [{ readonly function: { readonly arguments: string } }]
      }
    },
  ]
}

function eventOf(delta: object): object {
  const { id, object, created, model } = HEAD
  const choices = [{ index: 0, delta, finish_reason: null }]
  return { id, object, created, model, choices, usage: null }
}

function answer(opening: object, deltas: readonly object[], finish: string): AnswerStream {
  return eventAnswer({
    opening: [chunk(opening, 0)],
    chunks: deltas.map((delta, number) => chunk(delta, number)),
    closing: [chunk({}, 0, finish), JSON.stringify({ ...HEAD, choices: [], usage: USAGE }), '[DONE]'],
    pieceIn: (event) => {
      const { content, tool_calls: calls } = (event as Chunk).choices[0].delta
      return content ?? calls?.[0].function.arguments ?? ''
    },
  })
}

function chunk(delta: object, number: number, finish: string | null = null): string {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }]
  return JSON.stringify({ ...HEAD, choices, usage: null, obfuscation: obfuscation(number) })
}
