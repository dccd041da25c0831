import { Buffer } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import { ADDRESS, CANARIES, ODD_SECRET, PLAIN_SECRET } from '../../test/canaries.ts'
import { createRedaction } from './redaction.ts'

const KEY = CANARIES['openai'] ?? ''
const REDACTION = createRedaction({ secrets: [PLAIN_SECRET, ODD_SECRET] })
const SECRETS = { KEY, PLAIN_SECRET, ODD_SECRET, ADDRESS }

/** What is written of a stream that came in these pieces. */
function written(pieces: readonly string[]): string {
  const stream = REDACTION.forTape().stream()
  const pushed = pieces.map((piece) => stream.push(Buffer.from(piece).toString('latin1')))
  stream.end()
  expect(pushed.map(({ holders }) => holders)).toEqual(pushed.map(() => 0))
  const bytes = Buffer.from(pushed.map(({ text }) => text).join(''), 'latin1')
  expect(bytes.length).toBe(Buffer.byteLength(pieces.join('')))
  return bytes.toString('utf8')
}

const NO_TEXT = new Set(['type', 'role', 'name', 'item_id', 'event_id', 'toolUseId'])

/** All strings of a piece of JSON but for the names of things. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => (NO_TEXT.has(name) ? [] : stringsIn(inner)))
}

/** The texts of events as a client puts them together. */
function joined(events: readonly unknown[]): string {
  return events.flatMap(stringsIn).join('')
}

const sse = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

function eventsOf(stream: string): readonly unknown[] {
  return stream
    .split('\n\n')
    .flatMap((event) => (event === '' ? [] : [JSON.parse(event.slice(6)) as unknown]))
}

const FIELDS: readonly (readonly [string, (text: string) => unknown])[] = [
  ['content of a Chat choice', (content) => ({ choices: [{ index: 0, delta: { content } }] })],
  ['content of a choice whose index follows', (content) => ({ choices: [{ delta: { content }, index: 0 }] })],
  ['reasoning_content', (text) => ({ choices: [{ index: 0, delta: { reasoning_content: text } }] })],
  [
    'content that is a list',
    (text) => ({ choices: [{ index: 0, delta: { content: [{ type: 'text', text }] } }] }),
  ],
  [
    'arguments of a Chat call',
    (text) => ({ choices: [{ delta: { tool_calls: [{ index: 1, function: { arguments: text } }] } }] }),
  ],
  ['thinking of Anthropic', (thinking) => ({ type: 'content_block_delta', index: 2, delta: { thinking } })],
  ['partial_json', (text) => ({ type: 'content_block_delta', index: 2, delta: { partial_json: text } })],
  [
    'delta of Responses',
    (delta) => ({
      type: 'response.output_text.delta',
      item_id: 'm_1',
      output_index: 0,
      content_index: 0,
      delta,
    }),
  ],
  ['text of a Gemini part', (text) => ({ candidates: [{ content: { parts: [{ text }], role: 'model' } }] })],
  ['input of amazon-q', (input) => ({ toolUseId: 't_1', name: 'Read', input })],
  ['text of Converse', (text) => ({ contentBlockIndex: 0, delta: { text } })],
  ['a field that nobody knows yet', (utterance) => ({ turn: { words: [{ utterance }] } })],
  ['a string that is all there is', (text) => text],
]

function geminiEvent(text: string): string {
  return JSON.stringify({ candidates: [{ content: { parts: [{ text }] } }] })
}

function cuts(text: string): readonly (readonly [string, string])[] {
  return Array.from({ length: text.length - 1 }, (_, at) => [text.slice(0, at + 1), text.slice(at + 1)])
}

describe.each(Object.entries(SECRETS))('%s', (_, secret) => {
  test.each(FIELDS)('is covered in %s, cut anywhere between two events', (_field, event) => {
    for (const [first, last] of cuts(`so ${secret} it is`)) {
      const after = written([first, last, '.'].map((text) => sse(event(text))))
      expect(joined(eventsOf(after))).toMatch(/^so ~[KE]1-*~ it is\.$/)
    }
  })

  test('is covered in a stream that is one list of JSON, cut anywhere', () => {
    for (const [first, last] of cuts(`so ${secret} it is`)) {
      const body = `[${geminiEvent(first)}\n,\r\n${geminiEvent(last)}\n]`
      const whole = written([body])
      expect(joined(JSON.parse(whole) as unknown[])).toMatch(/^so ~[KE]1-*~ it is$/)
      for (const [head, rest] of cuts(body).filter((_each, at) => at % 13 === 0)) {
        expect(written([head, rest])).toBe(whole)
      }
    }
  })

  test('is covered in lines of JSON', () => {
    for (const [first, last] of cuts(`so ${secret} it is`)) {
      const lines = [first, last].map((content) => `${JSON.stringify({ message: { content } })}\n`)
      const after = written(lines)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown)
      expect(joined(after)).toMatch(/^so ~[KE]1-*~ it is$/)
    }
  })
})

test.each(Object.entries(SECRETS))('%s is covered although each event has an id of its own', (_, secret) => {
  for (const [first, last] of cuts(`so ${secret} it is`)) {
    const after = written(
      [first, last].map((delta, at) => sse({ type: 'delta', event_id: `e_${at}`, delta })),
    )
    // A part that is a secret by itself is covered once more, with a number of its own.
    expect(joined(eventsOf(after))).toMatch(/^so [~KE\d-]+ it is$/)
  }
})

const CALLS: readonly (readonly [string, (call: number, text: string) => object])[] = [
  ['output_index', (call, delta) => ({ sequence_number: 7 + call, output_index: call, delta })],
  [
    'item_id',
    (call, delta) => ({ type: 'response.function_call_arguments.delta', item_id: `fc_${call}`, delta }),
  ],
  ['item_id and output_index', (call, delta) => ({ item_id: `fc_${call}`, output_index: call, delta })],
  [
    'index',
    (index, text) => ({ choices: [{ delta: { tool_calls: [{ index, function: { arguments: text } }] } }] }),
  ],
  ['toolUseId', (call, input) => ({ toolUseId: `t_${call}`, input })],
  ['contentBlockIndex', (call, input) => ({ contentBlockIndex: call, delta: { toolUse: { input } } })],
]

test.each(CALLS)('parallel calls that are told apart by %s are covered each for itself', (_, event) => {
  for (const [first, last] of cuts(`- ${KEY} -`)) {
    const parts: readonly (readonly [number, string])[] = [
      [0, first],
      [1, '{"path": "a b'],
      [0, last],
      [1, ' c"}'],
    ]
    const after = eventsOf(written(parts.map(([call, text]) => sse(event(call, text)))))
    const call = joined([after[0], after[2]])
    expect(call).not.toContain(KEY)
    expect(call).toMatch(/^- ~K\d-+~ -$/)
    expect(joined([after[1], after[3]])).toContain(' c"}')
  }
})

test('both secrets of two calls that come in turns are covered', () => {
  const [one, other] = [KEY, PLAIN_SECRET]
  const turns = Array.from({ length: Math.max(one.length, other.length) }, (_, at) => [
    sse({ item_id: 'fc_1', output_index: 1, delta: one[at] ?? ' ' }),
    sse({ item_id: 'fc_2', output_index: 2, delta: other[at] ?? ' ' }),
  ]).flat()
  const after = eventsOf(written(turns)) as readonly { output_index: number; delta: string }[]
  const textOf = (index: number): string =>
    after.flatMap(({ output_index: of, delta }) => (of === index ? [delta] : [])).join('')
  expect(textOf(1)).toMatch(/^~K\d-+~ *$/)
  expect(textOf(2)).toMatch(/^~K\d-+~ *$/)
})

test('names that come again with every event make no word that is waited for', () => {
  const stream = REDACTION.forTape().stream()
  const event = {
    id: 'c1',
    object: 'chat.completion.chunk',
    model: 'm-1',
    choices: [{ delta: { content: 'a, ' } }],
  }
  const pieces = Array.from({ length: 40 }, () => stream.push(sse(event)))
  expect(pieces.map(({ holders }) => holders)).toEqual(pieces.map(() => 0))
})

test('padding of changing letters is not waited for without end', () => {
  const stream = REDACTION.forTape().stream()
  const pieces = Array.from({ length: 100 }, (_, at) => stream.push(sse({ filler: `Zq${at}`, delta: 'a, ' })))
  expect(pieces.slice(0, 50).map(({ holders }) => holders)).toEqual(pieces.slice(0, 50).map(() => 0))
})
