import { gemini } from '@hydra/core'
import { expect, test } from 'vitest'
import { endsWhole, upstreamEndOf } from './upstream-end.ts'

const event = (data: object): string => `data: ${JSON.stringify(data)}\r\n\r\n`
const chunk = (parts: readonly object[] | undefined, rest: object = {}): object => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0, ...rest }],
})
const WORD = chunk([{ text: 'Grüße' }])
const LAST = chunk([{ text: '!' }], { finishReason: 'STOP' })
const BLOCKED = { promptFeedback: { blockReason: 'SAFETY' } }
const ERROR = { error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' } }
const NEVER = { at: Infinity, isFollowed: false }

const endOf = (text: string): unknown => upstreamEndOf(Buffer.from(text), gemini.name)
const isWhole = (text: string): boolean => endsWhole(Buffer.from(text), gemini.name)
const events = (...chunks: readonly object[]): string => chunks.map(event).join('')

test('a stream ends with the line that has its reason, however its lines end', () => {
  const text = events(WORD, LAST)
  const at = Buffer.byteLength(text) - 4
  expect(endOf(text)).toEqual({ at, isFollowed: false })
  expect(endOf(text.trimEnd())).toEqual({ at, isFollowed: false })
  expect(isWhole(text.replaceAll('\r', ''))).toBe(true)
  expect(endOf(`${text}data: [DONE]\r\n\r\n`)).toEqual({ at, isFollowed: false })
})

test.for([
  ['one without a reason', events(WORD, WORD)],
  ['one whose last event is cut', events(WORD, LAST).slice(0, -6)],
  ['a reason of another candidate', events(WORD, chunk([], { index: 1, finishReason: 'STOP' }))],
  ['an empty reason', events(WORD, chunk([], { finishReason: '' }))],
  ['an error before the end', events(WORD, ERROR, LAST)],
  ['an error without data before the end', `${events(WORD)}${JSON.stringify(ERROR)}\n${events(LAST)}`],
  ['an error without data on several lines', `${events(WORD)}${JSON.stringify(ERROR, null, 2)}\n`],
  ['nothing', ''],
] as const)('a stream has no end: %s', ([, text]) => {
  expect(endOf(text)).toEqual(NEVER)
})

test.for([3, 'max_tokens', 'CONTINUATION'])('the reason %j is an end', (finishReason) => {
  expect(isWhole(events(WORD, chunk(undefined, { finishReason })))).toBe(true)
})

test('a blocked prompt is an end', () => {
  expect(isWhole(event(BLOCKED))).toBe(true)
})

test('what follows the end is told: more of the answer, another reason, nothing that counts', () => {
  expect(endOf(events(LAST, WORD))).toMatchObject({ isFollowed: true })
  expect(isWhole(events(LAST, WORD))).toBe(true)
  expect(endOf(events(LAST, chunk([], { finishReason: 'SAFETY' })))).toMatchObject({ isFollowed: true })
  const usage = { usageMetadata: { promptTokenCount: 1 } }
  const again = chunk([{ text: '' }], { finishReason: 'STOP' })
  expect(endOf(events(LAST, usage, again))).toMatchObject({ isFollowed: false })
})

test('an error behind the end takes it back', () => {
  expect(isWhole(events(LAST, ERROR))).toBe(false)
  expect(isWhole(events(LAST) + JSON.stringify(ERROR))).toBe(false)
})

test('a call that is still going on leaves no end, unless the model was stopped in it', () => {
  const begun = chunk([{ functionCall: { name: 'Read', willContinue: true } }])
  const piece = chunk([{ functionCall: { partialArgs: [], willContinue: true } }])
  const stopped = chunk([{ functionCall: {} }])
  expect(isWhole(events(begun, piece, stopped, LAST))).toBe(true)
  expect(isWhole(events(begun, piece, LAST))).toBe(false)
  expect(isWhole(events(begun, chunk([], { finishReason: 'MAX_TOKENS' })))).toBe(true)
  expect(endOf(events(begun, LAST, stopped))).toMatchObject({ at: expect.any(Number) as number })
})

const ARRAY = `[${JSON.stringify(WORD)},\r\n${JSON.stringify(LAST)}\r\n]`

test('an array ends with its bracket', () => {
  expect(endOf(`\n${ARRAY}\n`)).toEqual({ at: Buffer.byteLength(ARRAY) + 1, isFollowed: false })
  for (let length = 0; length < ARRAY.length; length += 1)
    expect(endOf(ARRAY.slice(0, length))).toEqual(NEVER)
})

test.for([
  ['no reason', JSON.stringify([WORD, WORD])],
  ['an error', JSON.stringify([WORD, LAST, ERROR])],
  ['nothing but an error', JSON.stringify([ERROR])],
  ['no element', '[]'],
  ['another bracket', ARRAY.replace(/\]$/, '}')],
  ['an element that is no JSON', ARRAY.replace('"index":0', '"index":')],
] as const)('an array has no end: %s', ([, text]) => {
  expect(endOf(text)).toEqual(NEVER)
})

test('brackets in words are none', () => {
  expect(isWhole(JSON.stringify([chunk([{ text: ']},"\\' }]), LAST]))).toBe(true)
})

test('a document is finished when it is whole and has a reason', () => {
  const whole = JSON.stringify(LAST, null, 2)
  expect(endOf(` ${whole}\n`)).toEqual({ at: whole.length + 1, isFollowed: false })
  for (const text of [whole.slice(0, -1), JSON.stringify(WORD), JSON.stringify({ ...LAST, ...ERROR }), '{}'])
    expect(endOf(text)).toEqual(NEVER)
})
