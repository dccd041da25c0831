import { openaiChat, registry } from '@hydra/core'
import { expect, test } from 'vitest'
import { askedEndpoint } from './asked-endpoint.ts'
import { canonicalRequest, routeOf } from './canonical-request.ts'

test.each([
  ['/v1/messages?beta=true', '/messages'],
  ['/anthropic/v1/messages/count_tokens', '/messages/count_tokens'],
  ['/api/paas/v4/chat/completions', '/chat/completions'],
  ['/openai/deployments/gpt/chat/completions', '/chat/completions'],
  ['/v1/responses', '/responses'],
  ['/v1/models/some-model', '/models/some-model'],
])('%s asks for %s', (path, route) => {
  expect(routeOf({ method: 'post', path })).toBe(`POST ${route}`)
})

test('a path that no dialect has is a route of its own', () => {
  expect(askedEndpoint('/talk')).toBeUndefined()
  expect(routeOf({ method: 'POST', path: '/talk?a=1' })).toBe('POST /talk')
})

function asked(path: string, body: unknown): ReturnType<typeof canonicalRequest> {
  return canonicalRequest({ method: 'POST', path, body: Buffer.from(JSON.stringify(body)) })
}

/** A request of Responses after one call with an id. */
function afterCall(id: string): object {
  return {
    model: 'm',
    stream: true,
    input: [
      { role: 'user', content: 'Read a.txt.' },
      { type: 'function_call', call_id: id, name: 'read', arguments: '{"path":"a.txt"}' },
      { type: 'function_call_output', call_id: id, output: 'text' },
    ],
  }
}

test('turns of Responses are found, and the ids of calls do not tell conversations apart', () => {
  const [one, other] = [
    asked('/v1/responses', afterCall('call_1')),
    asked('/v1/responses', afterCall('call_2')),
  ]
  expect(one.conversation?.full.answered).toBeDefined()
  expect(one.conversation).toEqual(other.conversation)
  expect(one).toMatchObject({ model: 'm', wantsStream: true })
})

test('a dialect that is registered has its endpoints, its turns and its wishes found', () => {
  const endpoint = { method: 'POST', path: '/v2/talk/{model}', purpose: 'generate' } as const
  const remove = registry.register({
    name: 'toy',
    client: { ...openaiChat.client, endpoints: [endpoint] },
  })
  try {
    const messages = [{ role: 'user', content: 'Hello' }]
    const { route, model, wantsStream, conversation } = asked('/base/talk/toy-1', { messages, stream: true })
    expect({ route, model, wantsStream }).toEqual({
      route: 'POST /talk/toy-1',
      model: 'toy-1',
      wantsStream: true,
    })
    expect(conversation).toBeDefined()
  } finally {
    remove()
  }
})

test('an endpoint that says more of the path is meant, where another one fits as well', () => {
  expect(askedEndpoint('/v1beta/models/m:generateContent')?.endpoint.purpose).toBe('generate')
  expect(askedEndpoint('/v1beta/models/m:streamGenerateContent')?.params).toMatchObject({ model: 'm' })
})
