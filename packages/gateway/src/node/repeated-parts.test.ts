import { anthropic, type ClientDialect, registry } from '@hydra/core'
import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { RepeatedParts as AnyRepeatedParts } from './repeated-parts.ts'

const TOOLS = Array.from({ length: 30 }, (_, index) => ({
  name: `tool_${index}`,
  description: `Does “things” with a ] and a \\" and an é, number ${index}: ${'words '.repeat(20)}`,
  input_schema: { type: 'object', properties: { list: { type: 'array', items: [[], [{}]] } } },
}))

/** Most of what there is to know is the same for every dialect. */
class RepeatedParts {
  readonly #parts = new AnyRepeatedParts()

  parse(bytes: Uint8Array, { repeats }: ClientDialect = anthropic.client): unknown {
    return this.#parts.parse(bytes, repeats)
  }
}

function bytesOf(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value))
}

test('a list of tools that comes again is the same frozen object, wherever it stands in the body', () => {
  const memory = new RepeatedParts()
  memory.parse(bytesOf({ messages: [], tools: TOOLS, stream: true }))
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

const INSTRUCTIONS = 'Do “this” and\nthat. '.repeat(200)

/** The instructions of a request, as the clients of each dialect write them. */
const INSTRUCTED: Readonly<Record<string, readonly object[]>> = {
  anthropic: [{ system: INSTRUCTIONS }, { system: [{ type: 'text', text: INSTRUCTIONS }] }],
  'openai-chat': [
    { messages: [{ role: 'system', content: INSTRUCTIONS }] },
    { messages: [{ role: 'developer', content: [{ type: 'text', text: INSTRUCTIONS }] }] },
  ],
  'openai-responses': [
    { instructions: INSTRUCTIONS },
    { input: [{ role: 'developer', content: [{ type: 'input_text', text: INSTRUCTIONS }] }] },
  ],
  gemini: [
    { systemInstruction: { parts: [{ text: INSTRUCTIONS }] } },
    { system_instruction: { parts: [{ text: INSTRUCTIONS }] } },
  ],
}

test.each(registry.clients)(
  '$name: instructions that come again are not parsed again',
  ({ name, client }) => {
    const forms = INSTRUCTED[name] ?? []
    expect(forms.length).toBeGreaterThan(0)
    for (const form of forms) {
      const memory = new RepeatedParts()
      const bodyOf = (turns: number): object => ({
        ...form,
        turns: Array.from({ length: turns }, () => 'hi'),
      })
      expect(memory.parse(bytesOf(bodyOf(1)), client)).toEqual(bodyOf(1))
      const parsed = vi.spyOn(JSON, 'parse')
      try {
        expect(memory.parse(bytesOf(bodyOf(2)), client)).toEqual(bodyOf(2))
        expect(parsed.mock.calls.every(([text]) => text.length < INSTRUCTIONS.length)).toBe(true)
      } finally {
        parsed.mockRestore()
      }
    }
  },
)

/** How many characters `JSON.parse` is given while a body is read. */
function parsedLength(memory: RepeatedParts, body: object): number {
  const parse = vi.spyOn(JSON, 'parse')
  try {
    memory.parse(bytesOf(body))
    return parse.mock.calls.reduce((sum, [text]) => sum + text.length, 0)
  } finally {
    parse.mockRestore()
  }
}

test('no byte of a body is parsed twice, whether it comes for the first time or again', () => {
  const memory = new RepeatedParts()
  const bodyOf = (turn: number): object => ({
    system: PROMPT,
    messages: Array(turn).fill('hi'),
    tools: TOOLS,
  })
  const lengths = [1, 2, 3, 4].map((turn) => parsedLength(memory, bodyOf(turn)))
  const whole = JSON.stringify(bodyOf(1)).length
  const tools = JSON.stringify(TOOLS).length
  expect(lengths[0]).toBe(whole)
  expect(lengths[1]).toBeLessThan(tools + 300)
  for (const length of lengths.slice(2)) expect(length).toBeLessThan(300)
})

/** A request that has a list under the name of its tools in another place. */
function misleading(turn: number): object {
  return { messages: [{ input: { tools: TOOLS } }, turn], tools: [] }
}

test('what only looks like the tools of a request is parsed as it is, and not tried again and again', () => {
  const memory = new RepeatedParts()
  const whole = JSON.stringify(misleading(1)).length
  for (let turn = 0; turn < 9; turn += 1)
    expect(memory.parse(bytesOf(misleading(turn)))).toEqual(misleading(turn))
  expect(parsedLength(memory, misleading(9))).toBe(whole)
})

test('a user who repeats the instructions of another dialect is parsed as every other', () => {
  const memory = new RepeatedParts()
  memory.parse(bytesOf({ system: INSTRUCTIONS }), anthropic.client)
  const body = { messages: [{ role: 'user', content: INSTRUCTIONS }], input: { system: INSTRUCTIONS } }
  for (const { client } of registry.clients) expect(memory.parse(bytesOf(body), client)).toEqual(body)
})

/** Long enough to be remembered, with something hostile in it. */
function hostile(text: string): string {
  return `{"messages":[],"tools":[${JSON.stringify(TOOLS).slice(1, -1)},${text}]}`
}

test.each([
  ['a prototype', '{"__proto__":{"polluted":true},"name":"a"}'],
  ['a constructor', '{"constructor":{"prototype":{"polluted":true}}}'],
  ['a number beyond all bounds', '{"n":1e400,"m":-1e400}'],
  ['a member twice', '{"name":"a","name":"b"}'],
  ['half of a surrogate pair', '{"name":"\\ud83d","\\udc00":1}'],
  ['a very long key', `{"${'k'.repeat(1_000_000)}":1}`],
])('%s is the same read a second time as by itself, and harms nobody', (_, text) => {
  const memory = new RepeatedParts()
  const body = new TextEncoder().encode(hostile(text))
  const plain = JSON.parse(hostile(text)) as unknown
  for (let round = 0; round < 3; round += 1) expect(memory.parse(body)).toEqual(plain)
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  const [last] = (memory.parse(body) as { tools: object[] }).tools.slice(-1)
  expect(Object.getPrototypeOf(last)).toBe(Object.prototype)
})

test('tools that nest without an end are read each time they come; the dialect refuses them', () => {
  const memory = new RepeatedParts()
  const body = new TextEncoder().encode(hostile(`${'['.repeat(100_000)}${']'.repeat(100_000)}`))
  for (let round = 0; round < 3; round += 1) {
    const { tools } = memory.parse(body) as { tools: object[] }
    expect(tools).toHaveLength(TOOLS.length + 1)
  }
})
