import { answerOf, chatEvent, GOLDEN, WORDS } from './golden.ts'

/** A server-sent event whose name is the type of its data. */
export function named(data: Readonly<Record<string, unknown>> & { readonly type: string }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}

/** One without a name. */
export function nameless(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

/** The golden answer as a provider of Anthropic's Messages streams it. */
export const MESSAGES_EVENTS: readonly string[] = [
  {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  ...WORDS.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
  { type: 'content_block_stop', index: 0 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 8 },
  },
  { type: 'message_stop' },
].map(named)

/** The same as Chat Completions. */
export const CHAT_EVENTS: readonly string[] = [
  chatEvent({ role: 'assistant', content: '' }),
  ...WORDS.map((content) => chatEvent({ content })),
  chatEvent({}, 'stop'),
  'data: [DONE]\n\n',
]

/** A whole answer in Chat Completions, head and end included. */
export const ANSWER: string = answerOf(CHAT_EVENTS)

const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'm',
  status: 'in_progress',
  output: [],
}
const PART = { type: 'output_text', annotations: [] }
const ITEM = { id: 'msg_1', type: 'message', role: 'assistant' }
const TEXT_PLACE = { item_id: 'msg_1', output_index: 0, content_index: 0 }
const DONE_ITEM = { ...ITEM, status: 'completed', content: [{ ...PART, text: GOLDEN }] }
const USAGE = { input_tokens: 1, output_tokens: 8, total_tokens: 9 }

/** The same as Responses. */
export const RESPONSES_EVENTS: readonly string[] = [
  { type: 'response.created', response: RESPONSE },
  { type: 'response.in_progress', response: RESPONSE },
  {
    type: 'response.output_item.added',
    output_index: 0,
    item: { ...ITEM, status: 'in_progress', content: [] },
  },
  { type: 'response.content_part.added', ...TEXT_PLACE, part: { ...PART, text: '' } },
  ...WORDS.map((delta) => ({ type: 'response.output_text.delta', ...TEXT_PLACE, delta })),
  { type: 'response.output_text.done', ...TEXT_PLACE, text: GOLDEN },
  { type: 'response.content_part.done', ...TEXT_PLACE, part: { ...PART, text: GOLDEN } },
  { type: 'response.output_item.done', output_index: 0, item: DONE_ITEM },
  {
    type: 'response.completed',
    response: { ...RESPONSE, status: 'completed', output: [DONE_ITEM], usage: USAGE },
  },
].map((event, index) => named(Object.assign(event, { sequence_number: index })))

function candidate(text: string, more: object = {}): object {
  return { candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, ...more }] }
}

/** The same as Gemini's API. */
export const GEMINI_EVENTS: readonly string[] = [
  ...WORDS.slice(0, -1).map((text) => candidate(text)),
  {
    ...candidate(WORDS.at(-1) ?? '', { finishReason: 'STOP' }),
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 8, totalTokenCount: 9 },
  },
].map(nameless)
