import { expect, test } from 'vitest'
import { registry } from '../registry.ts'
import { Router } from '../router.ts'
import { encodeModels, recognises } from './endpoints.ts'

const ROUTER = new Router(registry)

function found(method: string, path: string, headers = {}): string {
  const { dialect, endpoint } = ROUTER.find({ method, path, headers })
  return `${dialect} ${endpoint?.purpose}`
}

const BEARER = { authorization: 'Bearer x' }

test.each([
  ['POST', '/v1/chat/completions', {}, 'openai-chat generate'],
  ['POST', '/chat/completions', {}, 'openai-chat generate'],
  ['POST', '/openai/v1/chat/completions', {}, 'openai-chat generate'],
  ['POST', '/openai/deployments/gpt-5/chat/completions', {}, 'openai-chat generate'],
  ['GET', '/v1/models', BEARER, 'openai-chat models'],
  ['GET', '/v1/models/gpt-5', BEARER, 'openai-chat model'],
  ['GET', '/v1/models/qwen/qwen3-coder', BEARER, 'openai-chat model'],
  ['GET', '/models', BEARER, 'openai-chat models'],
  ['GET', '/openai/v1/models', BEARER, 'openai-chat models'],
  ['GET', '/v1/models/a/b', { ...BEARER, 'anthropic-version': '2023-06-01' }, 'anthropic model'],
  ['GET', '/v1/models', { ...BEARER, 'anthropic-version': '2023-06-01' }, 'anthropic models'],
])('K47: %s %s is found', (method, path, headers, expected) => {
  expect(found(method, path, headers)).toBe(expected)
})

test("K47: models are listed in OpenAI's form", () => {
  expect(encodeModels(['a'])).toEqual({
    object: 'list',
    data: [{ id: 'a', object: 'model', created: 0, owned_by: 'hydra' }],
  })
})

test.each([
  ['/v1/embeddings', {}, true],
  ['/v1/chat/completions/x', {}, true],
  ['/anything', { 'user-agent': 'AsyncOpenAI/Python 2.3.0' }, true],
  ['/v1/models', { 'x-goog-api-key': 'k' }, false],
  ['/anything', {}, false],
])('a request to %s with %j is recognised: %s', (path, headers, expected) => {
  expect(recognises({ path, headers })).toBe(expected)
})
