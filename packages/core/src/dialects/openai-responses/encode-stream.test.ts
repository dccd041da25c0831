import { expect, test } from 'vitest'
import { type ReadResponse, readResponses } from '../../../test/pairs/readers/read-responses.ts'
import { HubError } from '../../hub/error.ts'
import { type HubStopReason, stopFor } from '../../hub/message.ts'
import { usageOf } from '../../hub/usage.ts'
import { UNSIGNED } from '../../identity/envelope.ts'
import type { StreamEncoder } from '../dialect.ts'
import { asText } from '../../sse/as-text.ts'
import { plainCall } from '../plain-call.ts'
import { openaiResponses } from './index.ts'

const { client } = openaiResponses
const HEAD = { id: 'resp_1', model: 'm', usage: usageOf({}) }
const USAGE = usageOf({ input_tokens: 5, cache_read_input_tokens: 3, output_tokens: 7 })

function written(write: (encoder: StreamEncoder) => void, fields: object = {}): string {
  const call = plainCall({ model: 'm', input: 'Hi', stream: true, ...fields })
  const encoder = client.encodeStream(client.decodeRequest(call).reply)
  write(encoder)
  const output = encoder.take()
  return typeof output === 'string' ? output : new TextDecoder().decode(output)
}

function answer(write: (encoder: StreamEncoder) => void, fields?: object): ReadResponse {
  return readResponses(
    written((encoder) => {
      encoder.messageStart(HEAD)
      write(encoder)
    }, fields),
  )
}

function stopped(reason: HubStopReason): ReadResponse['response'] {
  return answer((encoder) => {
    encoder.blockStart({ type: 'text' })
    encoder.text('Half')
    encoder.blockStop()
    encoder.messageStop(stopFor(reason), USAGE)
  }).response
}

test('S14: every event is named and numbered, and the last one repeats all items', () => {
  const { response } = answer((encoder) => {
    encoder.blockStart({ type: 'thinking' })
    encoder.thinking('Hm.')
    encoder.blockStop()
    encoder.blockStart({ type: 'tool_use', id: 'c1', name: 'f' })
    encoder.inputJson('{"a":1}')
    encoder.blockStop()
    encoder.messageStop(stopFor('tool_use'), USAGE)
  })
  expect(response).toMatchObject({
    status: 'completed',
    output: [{ type: 'reasoning' }, { type: 'function_call', call_id: 'c1', arguments: '{"a":1}' }],
    usage: {
      input_tokens: 8,
      input_tokens_details: { cached_tokens: 3 },
      output_tokens: 7,
      total_tokens: 15,
    },
  })
})

test('S15: texts that follow one another are parts of one message', () => {
  const { response } = answer((encoder) => {
    for (const text of ['One.', 'Two.']) {
      encoder.blockStart({ type: 'text' })
      encoder.text(text)
      encoder.blockStop()
    }
    encoder.messageStop(stopFor('end_turn'), USAGE)
  })
  expect(response['output']).toMatchObject([{ content: [{ text: 'One.' }, { text: 'Two.' }] }])
})

test.each([
  ['end_turn', 'completed', null],
  ['max_tokens', 'incomplete', { reason: 'max_output_tokens' }],
  ['refusal', 'incomplete', { reason: 'content_filter' }],
] as const)('S16: %s is %s', (reason, status, details) => {
  expect(stopped(reason)).toMatchObject({ status, incomplete_details: details })
})

test('S23: thinking without a proof is told with a mark in its place, and comes back without one', () => {
  const { response } = answer((encoder) => {
    encoder.blockStart({ type: 'thinking' })
    encoder.thinking('Hm.')
    encoder.blockStop()
    encoder.messageStop(stopFor('end_turn'), USAGE)
  })
  expect(response['output']).toMatchObject([{ type: 'reasoning', encrypted_content: UNSIGNED }])
  const call = plainCall({
    model: 'm',
    input: [...(response['output'] as object[]), { role: 'user', content: 'Hi' }],
  })
  const { request } = client.decodeRequest(call)
  const thought = { type: 'thinking', thinking: 'Hm.', signature: '' }
  expect(request.messages.map(({ content }) => content)).toContainEqual([thought])
})

test('S17: the call of a custom tool is a custom call, streamed as text', () => {
  const output = written(
    (encoder) => {
      encoder.messageStart(HEAD)
      encoder.blockStart({ type: 'tool_use', id: 'c1', name: 'p' })
      for (const piece of ['{"inp', 'ut":"a\\n', 'b"}']) encoder.inputJson(piece)
      encoder.blockStop()
      encoder.messageStop(stopFor('tool_use'), USAGE)
    },
    { tools: [{ type: 'custom', name: 'p' }] },
  )
  expect(output).toContain('"type":"response.custom_tool_call_input.done"')
  expect(output).toContain('"input":"a\\nb"')
  expect(output).not.toContain('function_call_arguments')
})

test.each([
  ['api_error', 'server_error'],
  ['overloaded_error', 'server_error'],
  ['invalid_request_error', 'invalid_prompt'],
  ['rate_limit_error', 'rate_limit_exceeded'],
  ['billing_error', 'insufficient_quota'],
] as const)(
  'S18: a stream that fails with %s ends in an error and a failed response, code %s',
  (kind, code) => {
    const { error, response } = answer((encoder) => encoder.error(new HubError(kind, 'no')))
    expect([error?.['code'], response['status']]).toEqual([code, 'failed'])
  },
)

test('S21: an agent whose connection breaks as well gets the failed response alone, unless nothing had begun', () => {
  const headers = { 'user-agent': 'OpenAI/JS 5.23.2' }
  const call = plainCall({ model: 'm', input: 'Hi', stream: true }, { headers })
  const failed = (begin: (encoder: StreamEncoder) => void): string => {
    const { reply } = client.decodeRequest(call)
    expect(reply.stream?.breaksWhenFailed).toBe(true)
    const encoder = client.encodeStream(reply)
    begin(encoder)
    encoder.error(new HubError('api_error', 'no'))
    return asText(encoder.take())
  }
  const begun = failed((encoder) => encoder.messageStart(HEAD))
  expect([begun.includes('event: error'), begun.includes('event: response.failed')]).toEqual([false, true])
  expect(failed(() => {})).toContain('event: error')
})

test('S19: a stream that fails before it began begins all the same', () => {
  const output = written((encoder) => encoder.error(new HubError('api_error', 'no')))
  expect(readResponses(output).error).toMatchObject({ message: 'no' })
})

test.each([
  ['authentication_error', 401, 'invalid_api_key'],
  ['rate_limit_error', 429, 'rate_limit_exceeded'],
  ['overloaded_error', 503, null],
] as const)('S20: %s is an answer of status %i, code %s', (kind, status, code) => {
  const encoded = client.encodeError(new HubError(kind, 'no'))
  expect([encoded.status, JSON.parse(encoded.body)]).toMatchObject([
    status,
    { error: { message: 'no', code } },
  ])
})
