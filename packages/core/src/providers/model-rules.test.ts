import { expect, test } from 'vitest'
import { chatProfiles } from './chat-profiles.ts'
import { profiles } from './providers.ts'
import type { ChatProfile } from '../dialects/openai-chat/profile.ts'
import { profileFor } from '../profiles/profile.ts'

const openai = (model: string): ChatProfile => profileFor(profiles.openai, model)

/** The levels of effort that a model takes, if it takes any. */
function levels({ reasoning }: ChatProfile): readonly string[] | undefined {
  return reasoning.kind === 'effort' ? reasoning.levels : undefined
}

test('a model without rules has the profile itself', () => {
  expect(profileFor(profiles.generic, 'gpt-5')).toBe(profiles.generic)
  expect(openai('some-model')).toBe(profiles.openai)
})

test('all rules that match count, later ones more, and the preset stays as it was', () => {
  const preset: ChatProfile = {
    ...profiles.generic,
    models: [
      { pattern: /a/, overrides: { maxOutputTokens: 1, takesTopK: true } },
      { pattern: /b/, overrides: { maxTools: 1 } },
      { pattern: /ac/, overrides: { maxOutputTokens: 2 } },
    ],
  }
  const profile = profileFor(preset, 'ac')
  expect(profile).toMatchObject({ maxOutputTokens: 2, takesTopK: true, maxTools: 128, name: 'generic' })
  expect(preset.maxOutputTokens).toBeUndefined()
})

test.each([
  ['gpt-3.5-turbo', 4096],
  ['gpt-4', 8192],
  ['gpt-4-turbo', 8192],
  ['gpt-4o', 16_384],
  ['gpt-4o-mini', 16_384],
  ['chatgpt-4o-latest', 16_384],
  ['gpt-4.1-mini', 32_768],
  ['o1', 100_000],
  ['o4-mini', 100_000],
  ['gpt-5', 128_000],
  ['gpt-5.2', 128_000],
  ['gpt-6', 128_000],
  ['gpt-5-chat-latest', 16_384],
])('%s writes at most %i tokens', (model, limit) => {
  expect(openai(model).maxOutputTokens).toBe(limit)
})

test.each(['gpt-4', 'gpt-4o', 'gpt-4.1'])('%s is no reasoning model', (model) => {
  expect(openai(model)).toMatchObject({
    systemRole: 'system',
    takesSampling: true,
    maxStopSequences: 4,
    reasoning: { kind: 'fixed' },
  })
})

test.each(['o1', 'o3-mini', 'o4-mini', 'gpt-5', 'gpt-5-mini', 'gpt-5.1', 'gpt-5.6', 'gpt-6'])(
  '%s is a reasoning model: a developer, no sampling, no stop sequences',
  (model) => {
    expect(openai(model)).toMatchObject({
      systemRole: 'developer',
      takesSampling: false,
      maxStopSequences: 0,
      tokenLimitField: 'max_completion_tokens',
      reasoning: { kind: 'effort' },
    })
  },
)

test('only newer reasoning models can be told to make one call at a time', () => {
  expect(['o3-mini', 'o4-mini', 'gpt-5'].map((model) => openai(model).takesParallelToolCalls)).toEqual([
    false,
    false,
    true,
  ])
})

test.each([
  ['o3-mini', ['low', 'medium', 'high']],
  ['gpt-5', ['minimal', 'low', 'medium', 'high']],
  ['gpt-5.1', ['none', 'low', 'medium', 'high', 'xhigh']],
  ['gpt-5.2', ['none', 'low', 'medium', 'high', 'xhigh']],
  ['gpt-5.6', ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']],
])('%s takes the efforts %j', (model, expected) => {
  expect(levels(openai(model))).toEqual(expected)
})

test.each([
  ['gpt-5', undefined],
  ['gpt-5.2', undefined],
  ['gpt-5.4', 'none'],
  ['gpt-5.6-terra', 'none'],
  ['gpt-5.10', 'none'],
  ['gpt-6', 'none'],
])('%s with tools takes the effort %s', (model, expected) => {
  const { reasoning } = openai(model)
  expect(reasoning.kind === 'effort' ? reasoning.withTools : 'fixed').toBe(expected)
})

test('Azure’s models are OpenAI’s, but for the safety identifier', () => {
  const azure = profileFor(profiles.azure, 'gpt-5')
  expect(azure).toMatchObject({ systemRole: 'developer', takesSampling: false, takesSafetyIdentifier: false })
})

test('DeepSeek’s two models have limits of their own, and only one can be switched', () => {
  expect(profileFor(profiles.deepseek, 'deepseek-chat')).toMatchObject({
    maxOutputTokens: 8192,
    reasoning: { kind: 'switch' },
  })
  expect(profileFor(profiles.deepseek, 'deepseek-reasoner')).toMatchObject({
    maxOutputTokens: 65_536,
    reasoning: { kind: 'fixed' },
    replaysThinking: 'reasoning_content',
  })
})

test('Gemini’s thinking can be switched off for 2.5 Flash, not at all be told to 2.0', () => {
  expect(levels(profileFor(chatProfiles.gemini, 'gemini-2.5-flash'))).toEqual([
    'none',
    'low',
    'medium',
    'high',
  ])
  expect(levels(profileFor(chatProfiles.gemini, 'gemini-2.5-pro'))).toEqual([
    'minimal',
    'low',
    'medium',
    'high',
  ])
  expect(profileFor(chatProfiles.gemini, 'models/gemini-2.0-flash')).toMatchObject({
    maxOutputTokens: 8192,
    reasoning: { kind: 'fixed' },
  })
})

test('Groq’s models differ in thinking and in the formats they take', () => {
  expect(levels(profileFor(profiles.groq, 'openai/gpt-oss-120b'))).toEqual(['low', 'medium', 'high'])
  expect(profileFor(profiles.groq, 'qwen/qwen3-32b').reasoning).toMatchObject({ kind: 'switch' })
  expect(profileFor(profiles.groq, 'llama-3.3-70b-versatile').responseFormat).toBe('json_object')
  expect(profileFor(profiles.groq, 'moonshotai/kimi-k2').responseFormat).toBe('json_schema')
})

test('Kimi’s thinking can be switched from K2.5 on', () => {
  expect(profileFor(profiles.moonshot, 'kimi-k2.5').reasoning.kind).toBe('switch')
  expect(profileFor(profiles.moonshot, 'kimi-k3').reasoning.kind).toBe('switch')
  expect(profileFor(profiles.moonshot, 'kimi-k2-turbo').reasoning.kind).toBe('fixed')
})

test.each(['vllm', 'lmstudio', 'groq'] as const)('gpt-oss can be told how hard to think on %s', (name) => {
  expect(levels(profileFor(profiles[name], 'openai/gpt-oss-20b'))).toEqual(['low', 'medium', 'high'])
})
