import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openaiResponses } from '../../src/dialects/openai-responses/index.ts'
import { CallIdsInUse } from '../../src/identity/call-ids.ts'
import { ToolNames } from '../../src/identity/tool-names.ts'
import { TagLifter } from '../../src/stream/tag-lifter.ts'
import { translateStream } from '../../src/stream/translate.ts'
import { anthropic } from '../../src/dialects/anthropic/index.ts'
import { chatTranslator, MESSAGE_ID, translate } from './translator.ts'

/** How many characters were looked at by the functions that look at a whole text; a clock would tell less. */
let looked = 0

beforeEach(() => {
  looked = 0
  for (const name of ['trim', 'trimStart', 'trimEnd'] as const) {
    // oxlint-disable-next-line typescript/unbound-method -- called with its string below
    const original = String.prototype[name]
    vi.spyOn(String.prototype, name).mockImplementation(function look(this: string) {
      looked += this.length
      return original.call(this)
    })
  }
})

afterEach(() => vi.restoreAllMocks())

const PIECES = 2000
const PIECE = 'x'.repeat(300)

const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`
const call = (index: number, fields: object): string =>
  event({ choices: [{ index: 0, delta: { tool_calls: [{ index, ...fields }] } }] })
const named = (index: number, json: string): string =>
  call(index, { id: `c${index}`, function: { name: 'Read', arguments: json } })
const more = (index: number, json: string): string => call(index, { function: { arguments: json } })

const SHAPES: Readonly<Record<string, readonly [first: string, piece: string]>> = {
  'a second call while the first is open': [named(0, '{"a":"') + named(1, '{"a":"'), more(1, PIECE)],
  'a call whose name has not come': [
    call(0, { id: 'c0', function: { arguments: '{"a":"' } }),
    more(0, PIECE),
  ],
  'arguments that are no object': [named(0, '"'), more(0, PIECE)],
  'arguments of white space': [named(0, ' '), more(0, ' '.repeat(300))],
  'a placeholder and white space': [named(0, '{}'), more(0, ' '.repeat(300))],
}

test.each(Object.keys(SHAPES))('pieces of calls cost in proportion to themselves: %s', (name) => {
  const [first, piece] = SHAPES[name] ?? expect.unreachable()
  translate(chatTranslator(), first, ...Array.from({ length: PIECES }, () => piece))
  expect(looked).toBeLessThan(10 * PIECES * piece.length)
})

test('pieces of arguments that are no object cost in proportion to themselves: Responses', () => {
  const translator = translateStream({
    upstream: openaiResponses.upstream,
    client: anthropic.client,
    clientReply: {},
    reply: {
      model: 'm',
      profile: openaiResponses.upstream.defaultProfile,
      names: new ToolNames(64),
      callIds: new CallIdsInUse(),
      stopSequences: [],
      ownStopSequences: [],
    },
    messageId: MESSAGE_ID,
  })
  const item = { type: 'function_call', call_id: 'c', name: 'Read', arguments: '' }
  const first = event({ type: 'response.output_item.added', output_index: 0, item })
  const piece = event({ type: 'response.function_call_arguments.delta', output_index: 0, delta: `"${PIECE}` })
  translate(translator, first, ...Array.from({ length: PIECES }, () => piece))
  expect(looked).toBeLessThan(10 * PIECES * piece.length)
})

test('white space before a tag is held up to a bound, and each piece is looked at once', () => {
  const told: string[] = []
  const lifter = new TagLifter('think', {
    text: (piece) => void told.push(piece),
    thinking: () => expect.unreachable(),
  })
  for (let count = 0; count < 40_000; count += 1) lifter.push(' ')
  expect(looked).toBeLessThan(100_000)
  expect(told.join('')).toBe(' '.repeat(40_000))
})
