import { expect, test } from 'vitest'
import { geminiGrammar } from './gemini.ts'

const SSE = '/v1beta/models/m:streamGenerateContent?alt=sse'
const ARRAY = '/v1beta/models/m:streamGenerateContent'

const META = { modelVersion: 'm', responseId: 'r1' }
const usageMetadata = {
  promptTokenCount: 3,
  candidatesTokenCount: 4,
  thoughtsTokenCount: 5,
  totalTokenCount: 12,
}
const chunk = (part: object, rest: object = {}): object => ({
  candidates: [{ content: { parts: [part], role: 'model' }, index: 0, ...rest }],
  ...META,
})
const CALL = { functionCall: { id: 'c1', name: 'Read', args: { path: 'a' } } }
const WORD = chunk({ text: 'Hi' })
const LAST = { ...chunk(CALL, { finishReason: 'STOP' }), usageMetadata }
const ERROR = { error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' } }

const json = JSON.stringify
const events = (...chunks: readonly object[]): string =>
  chunks.map((data) => `data: ${json(data)}\r\n\r\n`).join('')
const failed = (...chunks: readonly object[]): string => events(...chunks, ERROR) + json(ERROR)
const GOOD = events(WORD, LAST)

test('a stream ends with a reason, or with an error that is told twice', () => {
  expect(geminiGrammar.stream(GOOD, SSE)).toEqual({ end: 'clean' })
  expect(geminiGrammar.stream(failed(), SSE)).toEqual({ end: 'error' })
  expect(geminiGrammar.stream(failed(WORD, WORD), SSE)).toEqual({ end: 'error' })
})

test('a stream without alt=sse is an array that is closed in any case', () => {
  expect(geminiGrammar.stream(`${json([WORD, LAST])}\r\n`, ARRAY)).toEqual({ end: 'clean' })
  expect(geminiGrammar.stream(json([WORD, ERROR]), ARRAY)).toEqual({ end: 'error' })
  for (const text of ['', '[', `[${json(LAST)}`, json([WORD]), json([LAST, WORD]), json([LAST, LAST]), GOOD])
    expect(geminiGrammar.stream(text, ARRAY)).toHaveProperty('violation')
  expect(geminiGrammar.stream(json([WORD, LAST]), SSE)).toHaveProperty('violation')
})

test('a stream that is cut anywhere is refused', () => {
  for (let length = 0; length < GOOD.length; length += 1)
    expect(geminiGrammar.stream(GOOD.slice(0, length), SSE)).toHaveProperty('violation')
})

test.for([
  ['no end', events(WORD)],
  ['its end first', events(LAST, WORD)],
  ['its end twice', events(WORD, LAST, LAST)],
  ['an error behind the end', failed(WORD, LAST)],
  ['an end behind the error', events(WORD, ERROR, LAST) + json(ERROR)],
  ['an error that is told once', events(WORD, ERROR)],
  ['an error that differs from itself', events(WORD, ERROR) + json(ERROR).replace('503', '500')],
  ['an error twice in events', events(ERROR) + failed()],
  ['an error without words', failed().replaceAll('overloaded', '')],
  ['an error without a code', failed().replaceAll('503', '"503"')],
  ['a comment', `: hello\r\n\r\n${GOOD}`],
  ['a name of an event', `event: chunk\r\n${GOOD}`],
  ['the word of other dialects', `${GOOD}data: [DONE]\r\n\r\n`],
  ['lines that end otherwise', GOOD.replaceAll('\r', '')],
  ['a line end that some clients know', GOOD.replace('Hi', '\u2028')],
  ['data that is no JSON', GOOD.replace('"role"', 'role')],
  ['a call before the end', events(chunk(CALL), LAST)],
  ['a call without an id', GOOD.replace('"c1"', '""')],
  ['a call without a name', GOOD.replace('"Read"', '""')],
  ['arguments as text', GOOD.replace('{"path":"a"}', '"{}"')],
  ['a part that is nothing', GOOD.replace('{"text":"Hi"}', '{}')],
  ['a part that is two things', GOOD.replace('{"functionCall"', '{"text":"x","functionCall"')],
  ['no parts', GOOD.replace('[{"text":"Hi"}]', '[]')],
  ['nobody who speaks', GOOD.replace(',"role":"model"', '')],
  ['another candidate', GOOD.replace('"index":0', '"index":1')],
  ['another answer in it', GOOD.replace('r1', 'r2')],
  ['a reason that we do not have', GOOD.replace('"STOP"', '"OTHER"')],
  ['no usage', events(WORD, chunk(CALL, { finishReason: 'STOP' }))],
  ['a usage that does not add up', GOOD.replace(':12', ':13')],
] as const)('a stream with %s is refused', ([, output]) => {
  expect(geminiGrammar.stream(output, SSE)).toHaveProperty('violation')
})

test.for([
  ['c2', 'end'],
  ['c1', 'violation'],
] as const)('two calls have two ids: c1 and %s', ([id, found]) => {
  const second = { functionCall: { ...CALL.functionCall, id } }
  const both = GOOD.replace(json(CALL), `${json(CALL)},${json(second)}`)
  expect(geminiGrammar.stream(both, SSE)).toHaveProperty(found)
})

test('one document is a chunk with a reason', () => {
  expect(geminiGrammar.whole?.(json(LAST))).toEqual({ end: 'clean' })
  for (const body of [json(WORD), json([LAST]), json(LAST).slice(0, -1), GOOD])
    expect(geminiGrammar.whole?.(body)).toHaveProperty('violation')
})

test('an error is a status with its own code', () => {
  expect(geminiGrammar.refusal?.(503, ERROR)).toBeUndefined()
  expect(geminiGrammar.refusal?.(500, ERROR)).toContain('503')
  expect(geminiGrammar.refusal?.(503, { error: 'overloaded' })).toContain('no object')
  expect(geminiGrammar.refusal?.(503, null)).toContain('no object')
})

test('behind what was relayed may stand an error, and nothing else', () => {
  for (const rest of [failed(), events(ERROR), json(ERROR), `data: ${json({ error: 'no' })}\r\r\n`])
    expect(geminiGrammar.isError?.(rest)).toBe(true)
  for (const rest of [
    '',
    GOOD,
    events(WORD) + json(ERROR),
    json(ERROR).slice(0, -1),
    json(LAST),
    failed() + GOOD,
  ])
    expect(geminiGrammar.isError?.(rest)).toBe(false)
})
