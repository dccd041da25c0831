import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { RepeatedParts } from './repeated-parts.ts'

const TOOLS = Array.from({ length: 30 }, (_, index) => ({
  name: `tool_${index}`,
  description: `Does “things” with a ] and a \\" and an é, number ${index}: ${'words '.repeat(20)}`,
  input_schema: { type: 'object', properties: { list: { type: 'array', items: [[], [{}]] } } },
}))

function bytesOf(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value))
}

test('a list of tools that comes again is the same frozen object, wherever it stands in the body', () => {
  const memory = new RepeatedParts()
  const first = memory.parse(bytesOf({ messages: [1], tools: TOOLS, stream: true })) as { tools: object[] }
  const bodies = [
    { messages: [1, 2, 3], tools: TOOLS, stream: true },
    { tools: TOOLS, messages: ['tools', '"tools":['] },
    { model: 'other', system: 'longer', tools: TOOLS, messages: [], metadata: { a: 1 } },
  ]
  for (const body of bodies) {
    const value = memory.parse(bytesOf(body)) as { tools: object[] }
    expect(value).toEqual(body)
    expect(value.tools).toBe(first.tools)
  }
  expect(Object.isFrozen((first.tools[0] as { input_schema: object }).input_schema)).toBe(true)
})

test('the same bytes in another place are not taken for the tools', () => {
  const memory = new RepeatedParts()
  memory.parse(bytesOf({ tools: TOOLS }))
  const bodies: unknown[] = [
    { messages: [{ input: { tools: TOOLS } }] },
    { messages: [{ input: { tools: TOOLS } }], tools: null },
    { messages: [{ input: { tools: TOOLS } }], tools: [] },
    { messages: [JSON.stringify({ tools: TOOLS })] },
    [{ tools: TOOLS }],
  ]
  for (const body of bodies) expect(memory.parse(bytesOf(body))).toEqual(body)
})

test('of two lists under the same name the last one counts, as everywhere', () => {
  const memory = new RepeatedParts()
  memory.parse(bytesOf({ tools: TOOLS }))
  const list = JSON.stringify(TOOLS)
  const parse = (text: string): unknown => memory.parse(new TextEncoder().encode(text))
  expect(parse(`{"tools":${list},"tools":[]}`)).toEqual({ tools: [] })
  expect(parse(`{"tools":[],"tools":${list}}`)).toEqual({ tools: TOOLS })
})

test('what is no JSON is refused in the same words, with a known list or without', () => {
  const memory = new RepeatedParts()
  memory.parse(bytesOf({ tools: TOOLS }))
  const broken = `{"tools":${JSON.stringify(TOOLS)},}`
  for (const reader of [memory, new RepeatedParts()]) {
    expect(() => reader.parse(new TextEncoder().encode(broken))).toThrow(/expected JSON.*position/)
    const notUtf8 = Buffer.concat([bytesOf({ tools: TOOLS }), Buffer.from([0xff])])
    expect(() => reader.parse(notUtf8)).toThrow('not UTF-8')
  }
})

test('more lists than are remembered are still read right', () => {
  const memory = new RepeatedParts()
  for (let round = 0; round < 3; round += 1) {
    for (let variant = 0; variant < 12; variant += 1) {
      const body = { variant, tools: [...TOOLS, { name: `extra_${variant}` }] }
      expect(memory.parse(bytesOf(body))).toEqual(body)
    }
  }
})

test('any body is read as JSON.parse reads it', () => {
  const memory = new RepeatedParts()
  memory.parse(bytesOf({ tools: TOOLS, system: [{ text: PROMPT }] }))
  const member = fc.oneof(
    fc.constantFrom(TOOLS, { tools: TOOLS }, PROMPT, [{ text: PROMPT }], { text: PROMPT }, [PROMPT, PROMPT]),
    fc.jsonValue(),
  )
  const key = fc.oneof(fc.constantFrom('tools', 'messages', 'system', 'text'), fc.string())
  const body = fc.dictionary(key, member)
  fc.assert(
    fc.property(body, (value) => {
      const text = JSON.stringify(value)
      expect(memory.parse(new TextEncoder().encode(text))).toEqual(JSON.parse(text))
    }),
  )
})

const PROMPT = `You are an agent. “Quotes”, a \\ and an é: ${'words '.repeat(800)}`

test('a long text of the system prompt that comes again is the same text, wherever the prompt has moved to', () => {
  const memory = new RepeatedParts()
  const system = [
    { type: 'text', text: 'billing 1' },
    { type: 'text', text: PROMPT, cache_control: { type: 'ephemeral' } },
  ]
  const bodies = [
    { messages: [1], system, tools: TOOLS },
    { messages: [1, 2], system: [{ type: 'text', text: 'billing 23' }, system[1]], tools: TOOLS },
    { messages: [1], system: PROMPT },
    { system: [system[1], system[1]], tools: [], metadata: { user_id: 'me' } },
    { system, messages: [PROMPT, { system: PROMPT }, { text: PROMPT }] },
  ]
  for (const body of [...bodies, ...bodies]) expect(memory.parse(bytesOf(body))).toEqual(body)
})

test('a prompt in another place is not taken for the system prompt', () => {
  const memory = new RepeatedParts()
  memory.parse(bytesOf({ system: PROMPT, messages: [] }))
  for (const body of [
    { sistem: PROMPT, messages: [] },
    { messages: [{ content: PROMPT }] },
    { system: [{ type: 'text', texts: PROMPT }] },
    { system: { text: PROMPT } },
  ]) {
    expect(memory.parse(bytesOf(body))).toEqual(body)
  }
})

test('requests that have nothing in common are read right, and so is the first that comes again', () => {
  const memory = new RepeatedParts()
  for (let round = 0; round < 100; round += 1) {
    const body = { system: `${round} ${PROMPT}`, tools: [...TOOLS, { name: `only_${round}` }] }
    expect(memory.parse(bytesOf(body))).toEqual(body)
  }
  const body = { system: PROMPT, tools: TOOLS }
  for (let round = 0; round < 40; round += 1) expect(memory.parse(bytesOf(body))).toEqual(body)
  const again = memory.parse(bytesOf(body)) as { tools: object }
  expect(Object.isFrozen(again.tools)).toBe(true)
})
