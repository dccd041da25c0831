import { expect, test } from 'vitest'
import { plainCall } from '../dialects/plain-call.ts'
import { registry } from '../dialects/registry.ts'
import { planCall } from './planned-call.ts'

const CALL = {
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'Read', arguments: '{}' } }],
      },
      finish_reason: 'tool_calls',
    },
  ],
}

test('an answer after a failed one gets the ids that the failed one had claimed', () => {
  const client = registry.client('anthropic')
  const upstream = registry.upstream('openai-chat')
  const body = { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'Hi' }] }
  const { request, reply: clientReply } = client.decodeRequest(plainCall(body))
  const { defaultProfile: profile } = upstream
  const planned = planCall({ client, clientReply, request, upstream, model: 'm', profile, clientModel: 'm' })
  const answers = [1, 2].map((number) => {
    const translation = planned.translate({ messageId: `msg_${number}`, inputEstimate: 1 })
    return String(translation.pushRaw(new TextEncoder().encode(JSON.stringify(CALL)))) + translation.end()
  })
  for (const answer of answers) expect(answer).toContain('"id":"call_1"')
})

test.each([
  ['curl/8', /"error":\{/],
  // It asks again at once when its connection breaks, and not after an error.
  ['QwenCode/0.24.4', /^$/],
])('after a cut %s is written %s', (agent, written) => {
  const client = registry.client('openai-chat')
  const upstream = registry.upstream('anthropic')
  const body = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }] }
  const call = plainCall(body, { headers: { 'user-agent': agent } })
  const { request, reply: clientReply } = client.decodeRequest(call)
  const { defaultProfile: profile } = upstream
  const planned = planCall({ client, clientReply, request, upstream, model: 'm', profile, clientModel: 'm' })
  const translation = planned.translate({ messageId: 'msg_1', inputEstimate: 1 })
  const events = [
    { type: 'message_start', message: { id: 'm', role: 'assistant', content: [], model: 'm', usage: {} } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'one' } },
  ]
  const bytes = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  expect(textOf(translation.pushRaw(new TextEncoder().encode(bytes)))).toContain('one')
  expect(textOf(translation.end())).toMatch(written)
  expect(translation.failure).toBeDefined()
})

function textOf(out: string | Uint8Array): string {
  return typeof out === 'string' ? out : new TextDecoder().decode(out)
}
