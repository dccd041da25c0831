import { expect, test } from 'vitest'
import { plainCall } from '../plain-call.ts'
import type { EncodedRequest } from '../dialect.ts'
import { defaultProfile, vertexProfile } from './profile.ts'
import { relayRequest } from './relay-request.ts'
import { packThinking } from './thinking.ts'

function relayed(
  body: unknown,
  method = 'generateContent',
  query = {},
  profile = defaultProfile,
): EncodedRequest | undefined {
  const path = `/v1beta/models/asked:${method}`
  const call = plainCall(body, { path, params: { model: 'asked' }, query })
  return relayRequest({ call }, { model: 'gemini-3-flash-preview', profile })
}

test('G95: between equal dialects a request goes as it came, with the target’s model and the form that was asked for', () => {
  const body = {
    model: 'models/asked',
    contents: [{ parts: [{ text: 'Hi.', ofTomorrow: 1 }] }],
    safetySettings: [{ category: 'x' }],
  }
  expect(relayed(body)).toMatchObject({
    path: '/models/gemini-3-flash-preview:generateContent',
    query: '',
    body: { contents: body.contents, safetySettings: body.safetySettings },
  })
  expect(relayed(body)?.body).not.toHaveProperty('model')
  expect(relayed(body, 'streamGenerateContent', { alt: 'sse' })).toMatchObject({
    path: '/models/gemini-3-flash-preview:streamGenerateContent',
    query: 'alt=sse',
  })
})

function signedCall(thoughtSignature: string): object {
  return { contents: [{ role: 'model', parts: [{ functionCall: { name: 'x' }, thoughtSignature }] }] }
}

test('G96: thinking of another provider in a signature goes through the hub, which keeps it from Google', () => {
  const thoughtSignature = packThinking({
    first: [{ type: 'thinking', thinking: 'Hm.', signature: 's' }],
    before: [],
  })
  expect(relayed(signedCall(thoughtSignature))).toBeUndefined()
  expect(relayed(signedCall('U0lHTkVE'))).toBeDefined()
  expect(relayed('no object')).toBeUndefined()
})

test('G97: what goes to Vertex has no ids of calls, which it refuses', () => {
  const contents = [
    { role: 'user', parts: { text: 'Hi.' } },
    {
      role: 'model',
      parts: [{ functionCall: { id: 'c1', name: 'x', args: { id: 1 } }, thoughtSignature: 's' }],
    },
    { parts: [{ function_response: { id: 'c1', name: 'x', response: { id: 2 } } }, { text: 'On.' }] },
  ]
  expect(relayed({ contents }, undefined, undefined, vertexProfile)?.body).toEqual({
    contents: [
      { role: 'user', parts: [{ text: 'Hi.' }] },
      { role: 'model', parts: [{ functionCall: { name: 'x', args: { id: 1 } }, thoughtSignature: 's' }] },
      { parts: [{ function_response: { name: 'x', response: { id: 2 } } }, { text: 'On.' }] },
    ],
  })
  expect(relayed({ contents })?.body['contents']).toEqual(contents)
})
