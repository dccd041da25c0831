import type { AnswerStream, BenchedDialect } from './benched-dialect.ts'
import { eventAnswer, namedEvent } from './server-sent-events.ts'

const USAGE = { input_tokens: 20_000, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
const MESSAGE = {
  id: 'msg_01AbCdEfGhIjKlMnOpQrStUv',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5-20250929',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { ...USAGE, output_tokens: 1, service_tier: 'standard' },
}

/** Anthropic's own API: blanks before the last bracket hide how long words are. */
export const anthropicBenched: BenchedDialect = {
  upstream: {
    contentType: 'text/event-stream; charset=utf-8',
    text: (pieces) =>
      answer(
        { type: 'text', text: '' },
        pieces.map((text) => ({ type: 'text_delta', text })),
        'end_turn',
      ),
    call: (pieces) =>
      answer(
        { type: 'tool_use', id: 'toolu_01AbCdEfGhIjKlMnOpQrStUv', name: 'Write', input: {} },
        pieces.map((json) => ({ type: 'input_json_delta', partial_json: json })),
        'tool_use',
      ),
    whole: (text) =>
      JSON.stringify({
        ...MESSAGE,
        content: [{ type: 'text', text }],
        stop_reason: 'end_turn',
        usage: { ...USAGE, output_tokens: 340 },
      }),
  },
  client: {
    address: () => ({ path: '/v1/messages', params: {}, query: {} }),
    asking: (stream) => ({ stream }),
    textEvent: (text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    callEvent: (json) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: json },
    }),
  },
}

interface Delta {
  readonly delta: { readonly text?: string; readonly partial_json?: string }
}

function answer(block: object, deltas: readonly object[], stop: string): AnswerStream {
  const ended = { stop_reason: stop, stop_sequence: null }
  return eventAnswer(
    {
      opening: [
        JSON.stringify({ type: 'message_start', message: MESSAGE }),
        JSON.stringify({ type: 'content_block_start', index: 0, content_block: block }),
        JSON.stringify({ type: 'ping' }),
      ],
      chunks: deltas.map((delta, number) => {
        const json = JSON.stringify({ type: 'content_block_delta', index: 0, delta })
        return `${json.slice(0, -1)}${' '.repeat((number * 7) % 15)}}`
      }),
      closing: [
        JSON.stringify({ type: 'content_block_stop', index: 0 }),
        JSON.stringify({ type: 'message_delta', delta: ended, usage: { ...USAGE, output_tokens: 340 } }),
        JSON.stringify({ type: 'message_stop' }),
      ],
      pieceIn: (event) => {
        const { delta } = event as Delta
        return delta.text ?? delta.partial_json ?? ''
      },
    },
    namedEvent,
  )
}
