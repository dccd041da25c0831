import { expect, test } from 'vitest'
import { noted, requestWith } from '../../../test/requests/encode.ts'
import { deepFreeze } from '../../json/deep-freeze.ts'
import { goldenCases, readJson } from '../../../test/requests/fixtures.ts'
import { GEMINI, sealEnvelope } from '../../identity/envelope.ts'
import { profiles } from '../../providers/providers.ts'
import type { EncodedRequest } from '../dialect.ts'
import { decodeRequest } from './decode-request.ts'
import { encodeRequest } from './encode-request.ts'

const CALL = { type: 'tool_use', id: 't1', name: 'Read', input: {} }
const RESULT = { type: 'tool_result', tool_use_id: 't1', content: 'done' }
const OWN = { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' }
const UNSIGNED = { type: 'thinking', thinking: 'Hm.', signature: '' }
const ENVELOPE = { ...UNSIGNED, signature: sealEnvelope({ by: GEMINI, proof: 's', callId: 't1' }) }
const REDACTED = { type: 'redacted_thinking', data: 'ZGF0YQ==' }

function encode(body: unknown): EncodedRequest {
  return encodeRequest(decodeRequest({ body }).request, {
    model: 'claude-target',
    profile: profiles.anthropic,
  })
}

function messagesOf(messages: readonly object[]): unknown {
  return encode(requestWith({ messages })).body['messages']
}

test('a request keeps every field but the model, also those nobody knows', () => {
  const body = requestWith({ system: 'S', tools: [], of_tomorrow: { a: 1 }, temperature: 0.5, stream: true })
  const encoded = encode(deepFreeze(body))
  expect(encoded.body).toEqual({ ...body, model: 'claude-target' })
  expect(encoded.notes).toEqual([])
  expect(encoded.reply).toMatchObject({ model: 'claude-test', ownStopSequences: [] })
})

test('a history that is legal is passed on as the same messages', () => {
  const messages = [
    { role: 'user', content: 'Go.' },
    { role: 'system', content: [] },
    { role: 'assistant', content: [OWN, REDACTED, CALL] },
    { role: 'user', content: [RESULT] },
  ]
  const sent = messagesOf(messages) as unknown[]
  messages.forEach((message, index) => expect(sent[index]).toBe(message))
})

test('thinking that Anthropic has not signed is dropped with a note', () => {
  const messages = [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: [UNSIGNED, ENVELOPE, OWN, { type: 'text', text: 'Hi' }] },
  ]
  const encoded = encode(requestWith({ messages }))
  expect(encoded.body['messages']).toEqual([
    messages[0],
    { role: 'assistant', content: [OWN, { type: 'text', text: 'Hi' }] },
  ])
  expect(noted(encoded)).toEqual(['thinking_dropped messages[1].content'])
})

test('turns that are empty then are skipped, for Anthropic refuses them', () => {
  const messages = [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: [UNSIGNED] },
    { role: 'assistant', content: '' },
    { role: 'user', content: 'Go on.' },
  ]
  expect(messagesOf(messages)).toEqual([messages[0], messages[3]])
})

test('a broken history is repaired', () => {
  const messages = [
    { role: 'user', content: [RESULT] },
    { role: 'assistant', content: [CALL] },
  ]
  const encoded = encode(requestWith({ messages }))
  expect(noted(encoded)).toEqual([
    'result_without_call messages[0].content[0]',
    'result_invented messages[1].content[0]',
  ])
})

test('ids of the history are known to the answer', () => {
  const messages = [
    { role: 'assistant', content: [CALL] },
    { role: 'user', content: [RESULT] },
  ]
  const { reply } = encode(requestWith({ messages }))
  expect(reply.callIds.claim('t1', 'x')).not.toBe('t1')
})

test.each([...new Set(goldenCases().map(({ name }) => name))])(
  '%s goes to Anthropic without being written to',
  (name) => {
    const body = deepFreeze(readJson(`${name}.json`))
    expect(encode(body).body['model']).toBe('claude-target')
  },
)

test('an upstream of the client’s dialect is told its version and its betas, and nothing else of its headers', () => {
  const { request } = decodeRequest({ body: requestWith({}) })
  const client = {
    'anthropic-version': '2099-01-01',
    'anthropic-beta': 'b1,b2',
    'x-api-key': 'k',
    'x-anything': 'y',
  }
  const { headers } = encodeRequest(request, { model: 'm', profile: profiles.anthropic, headers: client })
  expect(headers).toEqual({ 'anthropic-version': '2099-01-01', 'anthropic-beta': 'b1,b2' })
  const without = encodeRequest(request, { model: 'm', profile: profiles.anthropic })
  expect(without.headers).toEqual({ 'anthropic-version': '2023-06-01' })
})
