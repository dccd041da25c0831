import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { TARGETS } from '../../test/requests/targets.ts'
import { chatFaults } from '../../test/requests/check-chat-body.ts'
import { encode, requestWith } from '../../test/requests/encode.ts'
import { goldenCases, readJson } from '../../test/requests/fixtures.ts'
import { UPSTREAM_LIMITS } from '../../test/requests/upstream-limits.ts'
import { HubError } from '../hub/error.ts'
import { digest } from '../identity/digest.ts'
import { profiles } from './providers.ts'

/** Those who are called in Gemini's own dialect. */
const OF_GOOGLE: ReadonlySet<string> = new Set(['gemini', 'vertex'])

test('the presets are those of the architecture, and those of the other dialects', () => {
  expect(Object.keys(profiles).toSorted()).toEqual([
    'amazon-q',
    'anthropic',
    'azure',
    'deepseek',
    'gemini',
    'generic',
    'groq',
    'llamacpp',
    'lmstudio',
    'mistral',
    'moonshot',
    'ollama',
    'openai',
    'openrouter',
    'qwen',
    'vertex',
    'vllm',
    'zhipu',
  ])
})

test.each(Object.entries(profiles))(
  'the preset %s goes by its name and keeps the limits of tools',
  (name, profile) => {
    expect(profile.name).toBe(name)
    expect(profile.toolNameLength).toBeLessThanOrEqual(name === 'anthropic' ? 128 : 64)
    if ('maxTools' in profile) expect(profile.maxTools).toBeLessThanOrEqual(OF_GOOGLE.has(name) ? 512 : 128)
  },
)

test.each(Object.entries(profiles))('a hash is a legal id of a call for %s', (_name, { callIds }) => {
  const hash = digest('x').slice(0, Math.min(32, callIds.maxLength))
  expect(hash).toMatch(callIds.pattern)
})

const NAMES = [...new Set(goldenCases().map(({ name }) => name))]

test.each(TARGETS)('$profile with $model gets a legal body for every request of the fixtures', (target) => {
  const refused: string[] = []
  for (const name of NAMES) {
    try {
      const { body } = encode(readJson(`${name}.json`), target)
      expect(chatFaults(body, UPSTREAM_LIMITS[target.profile]), name).toEqual([])
    } catch (error) {
      if (!(error instanceof HubError)) throw error
      refused.push(name)
    }
  }
  expect(
    refused.every((name) => name.endsWith('-refused')),
    refused.join(),
  ).toBe(true)
})

test('no translator asks which provider it is', () => {
  const folder = new URL('../dialects/openai-chat/', import.meta.url)
  for (const file of [
    'encode-request',
    'messages',
    'message-list',
    'assistant-turn',
    'content',
    'tools',
    'parameters',
  ]) {
    const source = readFileSync(new URL(`${file}.ts`, folder), 'utf8')
    expect(source, file).not.toMatch(/profile\.name|\bname === '(openai|deepseek|gemini|mistral|groq)/)
  }
})

test('the profile for servers that nobody knows sends only what all of them accept', () => {
  const request = requestWith({
    stream: true,
    metadata: { user_id: 'u' },
    temperature: 0.5,
    top_k: 1,
    thinking: { type: 'adaptive' },
    output_config: { effort: 'high' },
    tools: [{ name: 'Read', input_schema: { type: 'object', properties: {} }, strict: true }],
    tool_choice: { type: 'any', disable_parallel_tool_use: true },
  })
  expect(Object.keys(encode(request, { profile: 'generic' }).body)).toEqual([
    'model',
    'max_tokens',
    'temperature',
    'stream',
    'stream_options',
    'tools',
    'tool_choice',
    'messages',
  ])
})
