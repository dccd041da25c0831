import type { AnswerStream, BenchedDialect } from './benched-dialect.ts'
import { eventAnswer, namedEvent, obfuscation } from './server-sent-events.ts'

const RESPONSE = {
  id: 'resp_0434d6d64b12b08900692f639d',
  object: 'response',
  created_at: 1_767_225_600,
  status: 'in_progress',
  error: null,
  incomplete_details: null,
  model: 'gpt-5.5',
  output: [] as object[],
  parallel_tool_calls: true,
  store: false,
  usage: null as object | null,
}
const USAGE = {
  input_tokens: 20_000,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 340,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 20_340,
}
const TEXT_PLACE = {
  item_id: 'msg_0434d6d64b12b08900692f639dc53c819594ea97586113d73b',
  output_index: 0,
  content_index: 0,
}
const CALL_PLACE = { item_id: 'fc_0434d6d64b12b08900692f639dc53c819594ea97586113d73b', output_index: 0 }

/** OpenAI's own API: each event has a number, and random text that hides how long words are. */
export const openaiResponsesBenched: BenchedDialect = {
  upstream: {
    contentType: 'text/event-stream; charset=utf-8',
    text: (pieces) => {
      const part = { type: 'output_text', annotations: [], logprobs: [] }
      return answer({
        kind: 'output_text',
        place: TEXT_PLACE,
        rest: { logprobs: [] },
        pieces,
        before: [{ type: 'response.content_part.added', ...TEXT_PLACE, part: { ...part, text: '' } }],
        item: (text) => messageItem(text),
        done: (text) => ({ text, logprobs: [] }),
      })
    },
    call: (pieces) =>
      answer({
        kind: 'function_call_arguments',
        place: CALL_PLACE,
        rest: {},
        pieces,
        before: [],
        item: (json) => ({
          id: CALL_PLACE.item_id,
          type: 'function_call',
          status: 'completed',
          arguments: json,
          call_id: 'call_aBcDeFgHiJkLmNoPqRsTuVwX',
          name: 'Write',
        }),
        done: (json) => ({ arguments: json }),
      }),
    whole: (text) =>
      JSON.stringify({ ...RESPONSE, status: 'completed', output: [messageItem(text)], usage: USAGE }),
  },
  client: {
    address: () => ({ path: '/v1/responses', params: {}, query: {} }),
    asking: (stream) => ({ stream, store: false }),
    textEvent: (delta) => ({
      type: 'response.output_text.delta',
      ...TEXT_PLACE,
      delta,
      logprobs: [],
      sequence_number: 1000,
    }),
    callEvent: (delta) => ({
      type: 'response.function_call_arguments.delta',
      ...CALL_PLACE,
      delta,
      sequence_number: 1000,
    }),
  },
}

interface Wording {
  readonly kind: string
  readonly place: object
  /** What a delta says beside its piece. */
  readonly rest: object
  readonly pieces: readonly string[]
  readonly before: readonly Readonly<Record<string, unknown>>[]
  readonly item: (whole: string) => object
  readonly done: (whole: string) => object
}

function answer({ kind, place, rest, pieces, before, item, done }: Wording): AnswerStream {
  let number = 0
  const numbered = (event: object): string => {
    const { type, ...fields } = event as Readonly<Record<string, unknown>>
    const sequence_number = number
    number += 1
    return JSON.stringify({ type, sequence_number, ...fields })
  }
  const whole = pieces.join('')
  const opening = [
    { type: 'response.created', response: RESPONSE },
    { type: 'response.in_progress', response: RESPONSE },
    { type: 'response.output_item.added', output_index: 0, item: { ...item(''), status: 'in_progress' } },
    ...before,
  ].map(numbered)
  const chunks = pieces.map((delta, index) =>
    numbered({
      type: `response.${kind}.delta`,
      ...place,
      delta,
      ...rest,
      obfuscation: obfuscation(index),
    }),
  )
  const output = [item(whole)]
  const closing = [
    { type: `response.${kind}.done`, ...place, ...done(whole) },
    { type: 'response.output_item.done', output_index: 0, item: output[0] },
    { type: 'response.completed', response: { ...RESPONSE, status: 'completed', output, usage: USAGE } },
  ].map(numbered)
  return eventAnswer(
    { opening, chunks, closing, pieceIn: (event) => (event as { delta: string }).delta },
    namedEvent,
  )
}

function messageItem(text: string): object {
  const content = text === '' ? [] : [{ type: 'output_text', annotations: [], logprobs: [], text }]
  return { id: TEXT_PLACE.item_id, type: 'message', status: 'completed', content, role: 'assistant' }
}
