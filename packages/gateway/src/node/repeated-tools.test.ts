import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { RepeatedTools } from './repeated-tools.ts'

const TOOLS = Array.from({ length: 30 }, (_, index) => ({
  name: `tool_${index}`,
  description: `Does “things” with a ] and a \\" and an é, number ${index}: ${'words '.repeat(20)}`,
  input_schema: { type: 'object', properties: { list: { type: 'array', items: [[], [{}]] } } },
}))

function bytesOf(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value))
}

test('a list of tools that comes again is the same frozen object, wherever it stands in the body', () => {
  const memory = new RepeatedTools()
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
  const memory = new RepeatedTools()
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
  const memory = new RepeatedTools()
  memory.parse(bytesOf({ tools: TOOLS }))
  const list = JSON.stringify(TOOLS)
  const parse = (text: string): unknown => memory.parse(new TextEncoder().encode(text))
  expect(parse(`{"tools":${list},"tools":[]}`)).toEqual({ tools: [] })
  expect(parse(`{"tools":[],"tools":${list}}`)).toEqual({ tools: TOOLS })
})

test('what is no JSON is refused in the same words, with a known list or without', () => {
  const memory = new RepeatedTools()
  memory.parse(bytesOf({ tools: TOOLS }))
  const broken = `{"tools":${JSON.stringify(TOOLS)},}`
  for (const reader of [memory, new RepeatedTools()]) {
    expect(() => reader.parse(new TextEncoder().encode(broken))).toThrow(/expected JSON.*position/)
    const notUtf8 = Buffer.concat([bytesOf({ tools: TOOLS }), Buffer.from([0xff])])
    expect(() => reader.parse(notUtf8)).toThrow('not UTF-8')
  }
})

test('more lists than are remembered are still read right', () => {
  const memory = new RepeatedTools()
  for (let round = 0; round < 3; round += 1) {
    for (let variant = 0; variant < 12; variant += 1) {
      const body = { variant, tools: [...TOOLS, { name: `extra_${variant}` }] }
      expect(memory.parse(bytesOf(body))).toEqual(body)
    }
  }
})

test('any body is read as JSON.parse reads it', () => {
  const memory = new RepeatedTools()
  memory.parse(bytesOf({ tools: TOOLS }))
  const member = fc.oneof(fc.constant(TOOLS), fc.constant({ tools: TOOLS }), fc.jsonValue())
  const body = fc.dictionary(fc.oneof(fc.constant('tools'), fc.constant('messages'), fc.string()), member)
  fc.assert(
    fc.property(body, (value) => {
      const text = JSON.stringify(value)
      expect(memory.parse(new TextEncoder().encode(text))).toEqual(JSON.parse(text))
    }),
  )
})
