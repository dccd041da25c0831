import { expect, test } from 'vitest'
import { encode, noted, requestWith } from '../../../test/requests/encode.ts'
import type { Encoded, TestTarget } from '../../../test/requests/encode.ts'

const TOOLS = [{ name: 'Read', input_schema: { type: 'object', properties: {} } }]

function effortOf(fields: Readonly<Record<string, unknown>>, model: string): unknown {
  return encode(requestWith(fields), { model }).body['reasoning_effort']
}

function encoded(fields: Readonly<Record<string, unknown>>, target: TestTarget): Encoded {
  return encode(requestWith(fields), target)
}

test.each([
  ['low', 'o3-mini', 'low'],
  ['xhigh', 'o3-mini', 'high'],
  ['max', 'gpt-5', 'high'],
  ['xhigh', 'gpt-5.2', 'xhigh'],
  ['max', 'gpt-5.2', 'xhigh'],
  ['max', 'gpt-5.6', 'max'],
])('R29: the effort %s for %s is %s', (effort, model, expected) => {
  const result = encoded({ output_config: { effort } }, { model })
  expect(result.body['reasoning_effort']).toBe(expected)
  expect(noted(result)).toEqual(effort === expected ? [] : ['effort_changed output_config.effort'])
})

test.each([
  [1024, 'low'],
  [4096, 'low'],
  [4097, 'medium'],
  [16_384, 'medium'],
  [16_385, 'high'],
  [31_999, 'high'],
])('R29: a thinking budget of %i is the effort %s', (budget, expected) => {
  expect(effortOf({ thinking: { type: 'enabled', budget_tokens: budget } }, 'o3-mini')).toBe(expected)
})

test('R29: adaptive thinking leaves the effort to what is said, or to the model', () => {
  expect(effortOf({ thinking: { type: 'adaptive' } }, 'gpt-5')).toBeUndefined()
  expect(effortOf({ thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }, 'gpt-5')).toBe('low')
})

test('R29: a word about the effort counts more than a budget, and the latest system message most', () => {
  const thinking = { type: 'enabled', budget_tokens: 32_000 }
  const output_config = { effort: 'medium' }
  const messages = [
    { role: 'user', content: 'Go.' },
    { role: 'system', content: [], output_config: { effort: 'high' } },
    { role: 'system', content: 'Mind.', output_config: { effort: 'low' } },
    { role: 'system', content: 'Mind more.' },
  ]
  expect(effortOf({ thinking, output_config }, 'gpt-5')).toBe('medium')
  expect(effortOf({ thinking, output_config, messages }, 'gpt-5')).toBe('low')
})

test.each([
  ['gpt-5.1', 'none', []],
  ['gpt-5', 'minimal', ['effort_changed thinking']],
  ['o3-mini', undefined, ['effort_dropped thinking']],
])('R29: thinking switched off for %s is the effort %s', (model, expected, notes) => {
  const result = encoded({ thinking: { type: 'disabled' } }, { model })
  expect(result.body['reasoning_effort']).toBe(expected)
  expect(noted(result)).toEqual(notes)
})

test('R29: a model that cannot be told drops the effort with a note', () => {
  const result = encoded({ output_config: { effort: 'high' } }, { model: 'gpt-4o' })
  expect(result.body).not.toHaveProperty('reasoning_effort')
  expect(noted(result)).toEqual(['effort_dropped output_config.effort'])
})

test('R29: an effort that nobody knows is left to the model, with a note', () => {
  const result = encoded({ output_config: { effort: 'of-tomorrow' } }, { model: 'gpt-5.1' })
  expect(result.body).not.toHaveProperty('reasoning_effort')
  expect(noted(result)).toEqual(['effort_dropped output_config.effort'])
})

test.each([
  ['deepseek', 'deepseek-chat', { thinking: { type: 'enabled' } }, { thinking: { type: 'disabled' } }],
  ['qwen', 'qwen3-max', { enable_thinking: true }, { enable_thinking: false }],
  ['moonshot', 'kimi-k2.5', { thinking: { type: 'enabled' } }, { thinking: { type: 'disabled' } }],
  ['zhipu', 'glm-4.6', { thinking: { type: 'enabled' } }, { thinking: { type: 'disabled' } }],
  ['groq', 'qwen/qwen3-32b', { reasoning_effort: 'default' }, { reasoning_effort: 'none' }],
] as const)('R29: the switch of %s is turned on and off', (profile, model, on, off) => {
  const target = { profile, model }
  expect(encoded({ thinking: { type: 'adaptive' } }, target).body).toMatchObject(on)
  expect(encoded({ thinking: { type: 'enabled', budget_tokens: 1024 } }, target).body).toMatchObject(on)
  expect(encoded({ thinking: { type: 'disabled' } }, target).body).toMatchObject(off)
  for (const field of Object.keys(on)) expect(encoded({}, target).body).not.toHaveProperty(field)
})

test('R29: a switch has no levels: an effort is dropped with a note', () => {
  const target = { profile: 'deepseek', model: 'deepseek-chat' } as const
  const result = encoded({ thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }, target)
  expect(noted(result)).toEqual(['effort_dropped output_config.effort'])
})

test('R29: with tools the newest models take no effort but none', () => {
  const output_config = { effort: 'high' }
  const result = encoded({ tools: TOOLS, output_config }, { model: 'gpt-5.6' })
  expect(result.body['reasoning_effort']).toBe('none')
  expect(noted(result)).toEqual(['effort_changed output_config.effort'])
  expect(noted(encoded({ tools: TOOLS }, { model: 'gpt-5.6' }))).toEqual(['effort_changed tools'])
  expect(effortOf({ output_config }, 'gpt-5.6')).toBe('high')
  expect(effortOf({ tools: TOOLS, output_config }, 'gpt-5.2')).toBe('high')
})

test('R29: tools that a system message adds count as well', () => {
  const tool = { type: 'tool_definition', definition: TOOLS[0] }
  const messages = [
    { role: 'user', content: 'Go.' },
    { role: 'system', content: [{ type: 'tool_addition', tool }] },
  ]
  expect(effortOf({ messages, output_config: { effort: 'high' } }, 'gpt-5.6')).toBe('none')
})

test.each([
  ['deepseek', 'deepseek-v4-pro', { thinking: { type: 'disabled' } }],
  ['moonshot', 'kimi-k2.5', { thinking: { type: 'disabled' } }],
  ['qwen', 'qwen3.5-plus', { enable_thinking: false }],
] as const)(
  'R29: %s does not think where it is made to call a tool, which it refuses',
  (profile, model, off) => {
    const forced = { tools: TOOLS, tool_choice: { type: 'any' } }
    const result = encoded({ ...forced, thinking: { type: 'adaptive' } }, { profile, model })
    expect(result.body).toMatchObject(off)
    expect(noted(result)).toEqual(['thinking_off tool_choice'])
    expect(encoded(forced, { profile, model }).body).toMatchObject(off)
    const free = encoded({ ...forced, tool_choice: { type: 'auto' } }, { profile, model })
    expect(free.body).not.toMatchObject(off)
  },
)
