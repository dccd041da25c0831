import { expect, test } from 'vitest'
import { registry } from '../registry.ts'
import { Router } from '../router.ts'
import { encodeCount, encodeModels } from './endpoints.ts'

const ROUTER = new Router(registry)
const KEY = { 'x-goog-api-key': 'k' }

function found(method: string, path: string, headers = {}): unknown[] {
  const { dialect, endpoint, params } = ROUTER.find({ method, path, headers })
  return [dialect, endpoint?.purpose, params['model']]
}

test.each([
  ['/v1beta/models/gemini-test:generateContent', 'generate', 'gemini-test'],
  ['/v1/models/gemini-test:streamGenerateContent', 'generate', 'gemini-test'],
  ['/v1alpha/models/gemini-test:countTokens', 'count', 'gemini-test'],
  ['/models/gemini-test:generateContent', 'generate', 'gemini-test'],
  ['/v1/models/anthropic/claude-opus-5-5:generateContent', 'generate', 'anthropic/claude-opus-5-5'],
  ['/v1beta/models/qwen3:8b:generateContent', 'generate', 'qwen3:8b'],
  ['/v1beta/models/my%20model:generateContent', 'generate', 'my model'],
  ['/v1beta1/publishers/google/models/gemini-test:generateContent', 'generate', 'gemini-test'],
  [
    '/v1/projects/p/locations/global/publishers/google/models/gemini-test:streamGenerateContent',
    'generate',
    'gemini-test',
  ],
])('G90: POST %s is found', (path, purpose, model) => {
  expect(found('POST', path)).toEqual(['gemini', purpose, model])
})

test.each([
  ['/v1beta/models', {}, ['gemini', 'models', undefined]],
  ['/v1beta/models/gemini-test', {}, ['gemini', 'model', 'gemini-test']],
  ['/v1/models', KEY, ['gemini', 'models', undefined]],
  [
    '/v1/models/gemini-test',
    { 'x-goog-api-client': 'google-genai-sdk/3.1.0' },
    ['gemini', 'model', 'gemini-test'],
  ],
  ['/v1/models', { authorization: 'Bearer x' }, ['openai-chat', 'models', undefined]],
  ['/v1/models', {}, ['openai-chat', 'models', undefined]],
  ['/v1/models', { 'anthropic-version': '2023-06-01' }, ['anthropic', 'models', undefined]],
  ['/v1/models', { 'x-api-key': 'k' }, ['anthropic', 'models', undefined]],
])('G91: GET %s with %j is found', (path, headers, expected) => {
  expect(found('GET', path, headers)).toEqual(expected)
})

test.each([
  ['POST', '/v1beta/models/gemini-test:embedContent'],
  ['POST', '/v1beta/interactions'],
  ['GET', '/v1beta/cachedContents'],
])('G92: %s %s is refused in Google’s form', (method, path) => {
  expect(found(method, path, KEY)).toEqual(['gemini', undefined, undefined])
})

test('G93: models and counts are told in Google’s form', () => {
  expect(encodeModels(['a'])).toEqual({
    models: [
      {
        name: 'models/a',
        displayName: 'a',
        supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
      },
    ],
  })
  expect(encodeCount(7)).toEqual({ totalTokens: 7 })
})
