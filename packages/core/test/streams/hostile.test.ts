import { afterEach, expect, test } from 'vitest'
import { answerTo } from './answer.ts'
import { call, calls, chunk, DONE, event, finish, text, usage } from './chat-chunks.ts'
import { readStream } from './grammar.ts'
import { chatCollector, chatTranslator, toBytes, translate } from './translator.ts'

const MEGABYTE = 1024 * 1024
const polluted = ['polluted', 'isAdmin', 'error', 'finish_reason']

afterEach(() => {
  for (const key of polluted) expect(key in {}, `Object.prototype.${key}`).toBe(false)
})

test('an event that nests 100,000 deep is an error', () => {
  const deep = `{"choices":[{"delta":{"content":${'['.repeat(100_000)}${']'.repeat(100_000)}}}]}`
  const { error } = answerTo(text('Before.') + event(deep))
  expect(error).toMatch(
    /^overloaded_error: Overloaded: openai-chat: expected an event to be nested at most 512 deep, .+\(event 2\)$/,
  )
})

test('an event that nests deep and never closes is an error', () => {
  expect(answerTo(event('{"a":'.repeat(100_000))).error).toMatch(/^overloaded_error/)
})

test('a body that nests 100,000 deep is an error', () => {
  const deep = `{"choices":[{"message":{"content":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}},"finish_reason":"stop"}]}`
  expect(answerTo(deep).error).toMatch(/^overloaded_error/)
})

test('arguments that nest 100,000 deep do not break the call', () => {
  const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  const { stop, notes } = answerTo(calls(call(0, 'call_1', 'Read', deep)) + finish('tool_calls', usage(1, 1)))
  expect([stop, notes]).toEqual(['tool_use', ['arguments_not_json']])
})

test.for([
  ['of data', 'data: {"choices":[{"delta":{"content":"'],
  ['of a comment', ': '],
  ['of an unknown field', 'x'],
  ['of one JSON body', '{"choices":[{"message":{"content":"'],
] as const)('a line %s that never ends is an error after 16 MB, and no more of it is kept', ([, start]) => {
  const translator = chatTranslator()
  let output = translator.push(toBytes(start))
  const piece = toBytes('a'.repeat(MEGABYTE))
  let pushed = 0
  for (; !translator.ended && pushed < 20; pushed += 1) output += translator.push(piece)
  expect(pushed).toBeLessThanOrEqual(17)
  expect(readStream(output).error?.message).toMatch(/longer than 16777216 characters/)
  expect(translator.push(piece)).toBe('')
})

test('an event of many lines is bounded as well', () => {
  const translator = chatTranslator()
  const line = toBytes(`data: ${'a'.repeat(MEGABYTE)}\n`)
  let output = ''
  for (let count = 0; !translator.ended && count < 20; count += 1) output += translator.push(line)
  expect(readStream(output).error?.message).toMatch(/longer than 16777216 characters/)
})

test('an event over the limit that comes in one piece is an error too', () => {
  expect(answerTo(text('a'.repeat(16 * MEGABYTE))).error).toMatch(/16777216 characters/)
})

test('a call that waits for its name is bounded', () => {
  const translator = chatTranslator()
  let output = ''
  const piece = toBytes(calls({ index: 0, function: { arguments: ' '.repeat(MEGABYTE) } }))
  for (let count = 0; !translator.ended && count < 20; count += 1) output += translator.push(piece)
  expect(readStream(output).error?.message).toMatch(/arguments of waiting calls to be at most 16777216/)
})

test('text behind a call that is never completed is bounded', () => {
  const translator = chatTranslator()
  let output = translator.push(toBytes(calls(call(0, 'call_1', 'Read', '{'))))
  const piece = toBytes(text('a'.repeat(MEGABYTE)))
  for (let count = 0; !translator.ended && count < 20; count += 1) output += translator.push(piece)
  expect(readStream(output).error?.message).toMatch(/text behind an unfinished call to be at most 16777216/)
})

test('more calls than any client could run are an error', () => {
  const many = Array.from({ length: 1001 }, (_, index) => call(index, `call_${index}`, 'Read', '{}'))
  expect(answerTo(calls(...many)).error).toMatch(/at most 1000 calls/)
})

test.for([
  ['content', { content: 5 }],
  ['reasoning', { reasoning: 5 }],
  ['refusal', { refusal: [] }],
  ['tool_calls', { tool_calls: 5 }],
  ['a call', { tool_calls: [5] }],
  ['an id', { tool_calls: [{ id: 5, function: { name: 'Read' } }] }],
  ['a name', { tool_calls: [{ id: 'a', function: { name: 5 } }] }],
  ['a function', { tool_calls: [{ id: 'a', function: 'Read' }] }],
  ['arguments', { tool_calls: [{ id: 'a', function: { name: 'Read', arguments: 5 } }] }],
  ['a signature', { tool_calls: [{ id: 'a', function: { name: 'Read' }, extra_content: 5 }] }],
  ['a part', { content: [5] }],
  ['a thinking part', { content: [{ type: 'thinking', thinking: 5 }] }],
  ['a thinking block', { thinking_blocks: [{ thinking: 5 }] }],
  ['a reasoning detail', { reasoning_details: [{ type: 'reasoning.text', text: 5 }] }],
  ['a custom call', { tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'x', input: 5 } }] }],
] as const)('a number for %s is an error that says where', ([, delta]) => {
  expect(answerTo(chunk({ delta }) + finish('stop')).error).toMatch(
    /^overloaded_error: Overloaded: openai-chat: expected .+ \(event 1\)$/,
  )
})

test.for(['5', 'null', '"text"', '[]', 'true'])('an event that is %s is an error', (data) => {
  expect(answerTo(event(data) + DONE).error).toBeDefined()
})

test.for([
  { choices: 5 },
  { choices: {} },
  { choices: [5] },
  { choices: [[]] },
  { choices: [{ delta: 5 }] },
  { choices: [{ delta: [] }] },
  { choices: [{ finish_reason: 5 }] },
  { choices: [{ finish_reason: {} }] },
])('a chunk like %j is an error', (value) => {
  expect(answerTo(event(value)).error).toMatch(/^overloaded_error: Overloaded: openai-chat: expected choices/)
})

test('keys of the prototype are keys like others', () => {
  const body =
    event(
      '{"__proto__":{"error":"polluted"},"constructor":{"prototype":{"polluted":1}},"choices":[{"index":0,"__proto__":{"finish_reason":"stop"},"delta":{"__proto__":{"isAdmin":1},"content":"Fine.","constructor":"x"}}]}',
    ) +
    calls(call(0, '__proto__', 'constructor', '{"__proto__":{"isAdmin":true},"constructor":1}')) +
    finish('tool_calls', usage(1, 1))
  const { blocks, stop } = answerTo(body)
  expect(blocks).toEqual([
    'text Fine.',
    '__proto__ constructor {"__proto__":{"isAdmin":true},"constructor":1}',
  ])
  expect(stop).toBe('tool_use')
  const collector = chatCollector()
  collector.push(toBytes(body))
  collector.end()
  const input = collector.message?.content.find((block) => block.type === 'tool_use')?.input
  expect(Object.keys(input ?? {})).toEqual(['__proto__', 'constructor'])
  expect(Object.getPrototypeOf(input)).toBe(Object.prototype)
})

test.for(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
  'an error with the code %s has a kind',
  (code) => {
    const { error } = answerTo(event({ error: { code, type: code, message: 'odd' } }))
    expect(error).toBe('overloaded_error: Overloaded: odd')
  },
)

test.for(['constructor', '__proto__', 'toString'])('the finish reason %s is an unknown one', (reason) => {
  const { stop, notes } = answerTo(text('a') + finish(reason, usage(1, 1)))
  expect([stop, notes]).toEqual(['end_turn', ['finish_reason_unknown']])
})

test('numbers that are too large are as good as missing', () => {
  const body =
    text('a') +
    event(
      '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":1e400,"completion_tokens":-1e400}}',
    )
  const outline = answerTo(body)
  expect(outline.usage).toEqual([40, 1, 0, 0])
  expect(outline.notes).toEqual(['usage_estimated'])
})

test('an index that is too large is an index', () => {
  const body = event(
    '{"choices":[{"index":0,"delta":{"tool_calls":[{"index":1e400,"id":"a","function":{"name":"Read","arguments":"{"}},{"index":1e400,"function":{"arguments":"}"}}]},"finish_reason":"stop"}]}',
  )
  expect(answerTo(body).blocks).toEqual(['a Read {}'])
})

test('of a key that comes twice the last one counts', () => {
  const body = event(
    '{"choices":[],"choices":[{"index":0,"delta":{"content":"one","content":"two"},"finish_reason":"stop","finish_reason":"length"}]}',
  )
  const { blocks, stop } = answerTo(body)
  expect([blocks, stop]).toEqual([['text two'], 'max_tokens'])
})

test('a part whose type cannot be made into text is an error and not a throw', () => {
  const { error } = answerTo(chunk({ delta: { content: [{ type: { toString: 1 } }] } }))
  expect(error).toMatch(/^overloaded_error: Overloaded: /)
})

test('bytes that are no UTF-8 become replacement characters inside of text', () => {
  const [before = '', after = ''] = (text('a?b') + finish('stop', usage(1, 1))).split('?')
  const body = new Uint8Array([...toBytes(before), 0xff, 0xc0, ...toBytes(after)])
  expect(answerTo(body).blocks).toEqual(['text a\uFFFD\uFFFDb'])
})

test('half a character in an escape goes out as an escape, so that the client can join it', () => {
  const output = translate(
    chatTranslator(),
    event('{"choices":[{"delta":{"content":"\\ud83d"}}]}') +
      event('{"choices":[{"delta":{"content":"\\ude00"},"finish_reason":"stop"}]}'),
  )
  expect(output).toContain(String.raw`"text":"\ud83d"`)
  expect(readStream(output).blocks[0]?.content).toBe('😀')
})
