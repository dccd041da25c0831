import { chatEvent } from '../golden.ts'
import { named, nameless } from '../golden-events.ts'

/** How a stream begins, and the piece that follows again and again. */
export type Shape = readonly [first: string, piece: (index: number) => string]
type Shapes = Readonly<Record<string, Shape>>

const PIECE = 'x'.repeat(300)
const MANY_CALLS = 999

function times(count: number, write: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => write(index)).join('')
}

/** What any upstream may send. */
export const ANY_SHAPES: Shapes = {
  'one line in pieces': ['data: ', () => PIECE],
  'one event of many lines': ['', () => `data: ${PIECE}\n`],
  comments: ['', () => `: ${PIECE}\n`],
  'blank lines': ['', () => '\n'.repeat(300)],
  'carriage returns': ['', () => '\r'.repeat(300)],
  'stray lines': ['', () => 'a\n'.repeat(150)],
  'one JSON body in pieces': ['{"a":"', () => PIECE],
  'a JSON array in pieces': ['[', () => '{"a":1},'.repeat(30)],
  'white space': ['', () => ' '.repeat(300)],
}

const call = (index: number, fields: object): string => chatEvent({ tool_calls: [{ index, ...fields }] })
const chatCall = (index: number, json: string, id = `c${index}`): string =>
  call(index, { id, function: { name: 'Read', arguments: json } })
const more = (index: number, json: string): string => call(index, { function: { arguments: json } })

/** What an upstream of Chat Completions may send. */
export const CHAT_SHAPES: Shapes = {
  'plain text': ['', () => chatEvent({ content: PIECE })],
  'two calls in turn': [chatCall(0, '{"a":"') + chatCall(1, '{"a":"'), (index) => more(index % 2, PIECE)],
  'a call without a name': [call(0, { id: 'c', function: { arguments: '{"a":"' } }), () => more(0, PIECE)],
  'arguments that are no object': [chatCall(0, '"'), () => more(0, PIECE)],
  'arguments of white space': [chatCall(0, ' '), () => more(0, ' '.repeat(300))],
  'white space before a tag': ['', () => chatEvent({ content: ' '.repeat(300) })],
  'text behind a call': [chatCall(0, '{"a":"'), () => chatEvent({ content: PIECE })],
  'a thousand calls': [
    times(MANY_CALLS, (index) => chatCall(index, '{}')),
    (index) => more(index % 999, ' '),
  ],
  'text and thinking in turn': [
    '',
    (index) => chatEvent(index % 2 === 0 ? { content: 'x' } : { reasoning_content: 'y' }),
  ],
  'unknown fields': ['', (index) => chatEvent({ [`field_${index}`]: PIECE })],
  backslashes: ['', () => chatEvent({ content: '\\'.repeat(150) })],
}

const START = named({
  type: 'message_start',
  message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage: {} },
})
const begin = (index: number, content_block: object): string =>
  named({ type: 'content_block_start', index, content_block })
const delta = (fields: object): string => named({ type: 'content_block_delta', index: 0, delta: fields })
const block = (index: number, content: object): string =>
  begin(index, content) + named({ type: 'content_block_stop', index })
const tool = (id: string, type = 'tool_use'): object => ({
  type,
  id,
  name: 'Read',
  server_name: 's',
  input: {},
})
const input = (partial_json: string): string => delta({ type: 'input_json_delta', partial_json })

/** What an upstream of Anthropic's Messages may send. */
export const MESSAGES_SHAPES: Shapes = {
  'plain text': [
    START + begin(0, { type: 'text', text: '' }),
    () => delta({ type: 'text_delta', text: PIECE }),
  ],
  'a call in pieces': [START + begin(0, tool('c')) + input('{"a":"'), () => input(PIECE)],
  'a call of a server in pieces': [
    START + begin(0, tool('c', 'mcp_tool_use')) + input('{"a":"'),
    () => input(PIECE),
  ],
  'calls with one id': [START, (index) => block(index, tool('same'))],
  'calls with ids of their own': [START, (index) => block(index, tool(`c${index}`))],
  'blocks of unknown kinds': [START, (index) => block(index, { type: `new_${index}`, text: PIECE })],
  'events of unknown kinds': [START, (index) => named({ type: `new_${index}`, text: PIECE })],
}

const CREATED = named({ type: 'response.created', response: { id: 'r', status: 'in_progress', output: [] } })
const added = (output_index: number): string =>
  named({
    type: 'response.output_item.added',
    output_index,
    item: {
      type: 'function_call',
      id: `f${output_index}`,
      call_id: `c${output_index}`,
      name: 'Read',
      arguments: '',
    },
  })
const pieceOf = (output_index: number, text: string): string =>
  named({
    type: 'response.function_call_arguments.delta',
    item_id: `f${output_index}`,
    output_index,
    delta: text,
  })
const words = (item_id: string, text: string): string =>
  named({ type: 'response.output_text.delta', item_id, output_index: 5, content_index: 0, delta: text })

/** What an upstream of Responses may send. */
export const RESPONSES_SHAPES: Shapes = {
  'plain text': [CREATED, () => words('m', PIECE)],
  'two calls in turn': [
    CREATED + added(0) + added(1) + pieceOf(0, '{"a":"') + pieceOf(1, '{"a":"'),
    (index) => pieceOf(index % 2, PIECE),
  ],
  'a thousand calls': [CREATED + times(MANY_CALLS, added), (index) => pieceOf(index % MANY_CALLS, ' ')],
  'text behind a call': [CREATED + added(0), () => words('m', PIECE)],
  'events of unknown kinds': [CREATED, (index) => named({ type: `response.new_${index}`, text: PIECE })],
}

const parts = (...all: object[]): string =>
  nameless({ candidates: [{ index: 0, content: { role: 'model', parts: all } }] })

/** What an upstream of Gemini's API may send. */
export const GEMINI_SHAPES: Shapes = {
  'plain text': ['', () => parts({ text: PIECE })],
  'text and thinking in turn': ['', (index) => parts({ text: 'x', thought: index % 2 === 0 })],
  calls: ['', (index) => parts({ functionCall: { name: 'Read', args: { a: index } } })],
  'parts of unknown kinds': ['', (index) => parts({ [`new_${index}`]: PIECE })],
}
