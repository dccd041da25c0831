import { expect, test } from 'vitest'
import { decodeError, decodeErrorPayload, isErrorPayload } from './error.ts'

function failure(status: number, body: unknown, headers: Record<string, string> = {}) {
  return { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }
}

function openai(message: string, code: string | null = null, type = 'invalid_request_error') {
  return { error: { message, type, param: null, code } }
}

test.each([
  [400, 400, 'invalid_request_error', undefined],
  [401, 401, 'authentication_error', false],
  [402, 402, 'billing_error', false],
  [403, 403, 'permission_error', false],
  [404, 404, 'not_found_error', undefined],
  [405, 400, 'invalid_request_error', undefined],
  [408, 408, 'timeout_error', undefined],
  [409, 409, 'conflict_error', undefined],
  [413, 413, 'request_too_large', undefined],
  [422, 400, 'invalid_request_error', undefined],
  [429, 429, 'rate_limit_error', undefined],
  [500, 500, 'api_error', undefined],
  [502, 500, 'api_error', undefined],
  [503, 529, 'overloaded_error', undefined],
  [504, 500, 'api_error', undefined],
  [520, 500, 'api_error', undefined],
  [529, 529, 'overloaded_error', undefined],
])('an upstream status %i becomes %i %s', (status, told, kind, shouldRetry) => {
  expect(decodeError(failure(status, openai('the words')))).toMatchObject({
    status: told,
    kind,
    shouldRetry,
    message: 'the words',
  })
})

test.each([
  ['OpenAI', openai('You exceeded your current quota', 'insufficient_quota', 'insufficient_quota')],
  ['OpenAI', openai('No credit', 'credit_balance_exhausted')],
  ['Moonshot', { error: { message: 'Your account is suspended', type: 'exceeded_current_quota_error' } }],
  ['Zhipu', { error: { code: '1113', message: '余额不足或无可用资源包,请充值。' } }],
  ['xAI', { code: 'x', error: 'Your team has either used all available credits or reached its limit.' }],
])('a 429 for want of money (%s) becomes a 402 billing_error that is not retried', (_vendor, body) => {
  expect(decodeError(failure(429, body))).toMatchObject({
    status: 402,
    kind: 'billing_error',
    shouldRetry: false,
  })
})

test('a 429 of Gemini that speaks of billing but is a rate limit stays one, with its wait', () => {
  const body = [
    {
      error: {
        code: 429,
        message:
          'You exceeded your current quota, please check your plan and billing details. Please retry in 48.9s.',
        status: 'RESOURCE_EXHAUSTED',
      },
    },
  ]
  expect(decodeError(failure(429, body))).toMatchObject({
    status: 429,
    kind: 'rate_limit_error',
    retryAfter: 48.9,
  })
})

test.each([
  [{ 'retry-after': '7' }, 7],
  [{ 'retry-after-ms': '1500' }, 1.5],
  [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, undefined],
  [{}, undefined],
])('a 429 with %o asks for a wait of %s seconds', (headers, retryAfter) => {
  expect(decodeError(failure(429, openai('slow down'), headers)).retryAfter).toBe(retryAfter)
})

test("Google's detail about a retry is a wait, also in a stream, and a header counts more", () => {
  const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }
  const payload = [
    { error: { code: 429, message: 'Quota.', status: 'RESOURCE_EXHAUSTED', details: [retry] } },
  ]
  expect(decodeError(failure(429, payload)).retryAfter).toBe(34.5)
  expect(decodeErrorPayload(payload).retryAfter).toBe(34.5)
  expect(decodeError(failure(429, payload, { 'retry-after': '7' })).retryAfter).toBe(7)
  const soon = [{ error: { message: 'Quota.', details: [{ retryDelay: 'soon' }, 'x'] } }]
  expect(decodeError(failure(429, soon)).retryAfter).toBeUndefined()
})

test('the wait in the words of a rate limit is the last resort', () => {
  expect(decodeError(failure(429, openai('Please try again in 20ms.'))).retryAfter).toBe(0.02)
})

test('the wait in the words of another error means nothing', () => {
  expect(decodeError(failure(404, openai('Please try again in 20s.'))).retryAfter).toBeUndefined()
})

test('what the upstream says about retrying is passed on', () => {
  expect(decodeError(failure(429, openai('no'), { 'x-should-retry': 'false' })).shouldRetry).toBe(false)
  expect(decodeError(failure(500, openai('no'), { 'x-should-retry': 'true' })).shouldRetry).toBe(true)
  expect(decodeError(failure(401, openai('no'), { 'x-should-retry': 'true' })).shouldRetry).toBe(false)
})

const OVERFLOW =
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens."

test.each([400, 413, 422, 500])(
  'a context overflow told with %i becomes a 400 with its numbers',
  (status) => {
    expect(decodeError(failure(status, openai(OVERFLOW, 'context_length_exceeded')))).toMatchObject({
      status: 400,
      kind: 'invalid_request_error',
      message: `prompt is too long: ${OVERFLOW}`,
      overflow: { tokens: 130_000, limit: 128_000 },
    })
  },
)

test('a context overflow in a stream becomes a 400 with its numbers', () => {
  expect(decodeErrorPayload(openai(OVERFLOW))).toMatchObject({
    status: 400,
    overflow: { tokens: 130_000, limit: 128_000 },
  })
})

test('the code of an overflow is enough', () => {
  expect(decodeErrorPayload(openai('no', 'context_length_exceeded'))).toMatchObject({
    message: 'prompt is too long: no',
    overflow: {},
  })
})

test('the fields of llama.cpp give the numbers of an overflow', () => {
  const error = {
    code: 400,
    message: 'the request exceeds the available context size. try increasing the context size',
    type: 'exceed_context_size_error',
    n_prompt_tokens: 9000,
    n_ctx: 8192,
  }
  expect(decodeError(failure(400, { error })).overflow).toEqual({ tokens: 9000, limit: 8192 })
})

test('a 413 for tokens per minute is no overflow', () => {
  const body = openai(
    'Request too large on tokens per minute (TPM): Limit 6000, Requested 7000',
    'rate_limit_exceeded',
  )
  expect(decodeError(failure(413, body))).toMatchObject({ status: 413, kind: 'request_too_large' })
})

test.each([
  ['an object', { error: { message: 'the words', type: 'x', code: null } }],
  ['a text', { error: 'the words' }],
  ['flat, with the object named', { object: 'error', message: 'the words', code: 40301 }],
  ['FastAPI', { detail: 'the words' }],
  ['FastAPI with an object', { detail: { error: { message: 'the words' } } }],
  ['a message', { message: 'the words', request_id: 'r1' }],
  ['a message that is an object', { object: 'error', message: { detail: 'the words' } }],
  ['xAI', { code: 'invalid-argument', error: 'the words' }],
  ['Gemini', [{ error: { code: 400, message: 'the words', status: 'INVALID_ARGUMENT' } }]],
  ['Cloudflare', { errors: [{ message: 'the words', code: 8007 }], success: false }],
  ['MiniMax', { choices: null, base_resp: { status_code: 2013, status_msg: 'the words' } }],
  ['MiniMax with an empty list', { choices: [], base_resp: { status_code: 2013, status_msg: 'the words' } }],
  ['a choice', { choices: [{ index: 0, error: { code: 502, message: 'the words' } }] }],
  ['JSON in a text', { error: { message: '{"error":{"message":"the words"}}' } }],
  ['a bare text', 'the words'],
  ['one event', 'data: {"error":{"message":"the words"}}\n\n'],
  ['one named event', 'event: error\ndata: {"error":{"message":"the words"}}\n\n'],
  ['a field of its own', 'error: {"message":"the words"}\n\n'],
])('the words are found in the shape of %s', (_name, body) => {
  expect(decodeError(failure(400, body)).message).toBe('the words')
})

test('what FastAPI lists is told with the place of each fault', () => {
  const detail = [
    { loc: ['body', 'model'], msg: 'field required', type: 'missing' },
    { loc: ['body', 'messages', 0], msg: 'is wrong', type: 'x' },
  ]
  expect(decodeError(failure(422, { detail })).message).toBe(
    'body.model: field required; body.messages.0: is wrong',
  )
})

test('the words of the provider follow those of OpenRouter', () => {
  const raw = JSON.stringify({ error: { message: 'the words', code: 'x' } })
  const error = { message: 'Provider returned error', code: 400, metadata: { raw, provider_name: 'p' } }
  expect(decodeError(failure(400, { error })).message).toBe('Provider returned error: the words')
})

test('an overflow is recognised inside the JSON that a gateway quotes', () => {
  const inner = JSON.stringify({ code: 'invalid-argument', error: OVERFLOW })
  const error = { message: `litellm.BadRequestError: XaiException - ${inner}` }
  expect(decodeError(failure(400, { error })).overflow).toEqual({ tokens: 130_000, limit: 128_000 })
})

test('an empty body gets a message that names the status', () => {
  expect(decodeError(failure(502, '')).message).toBe('the upstream answered with status 502 and no message')
  expect(decodeError(failure(500, {})).message).toBe('the upstream answered with status 500 and no message')
  expect(decodeError(failure(400, { error: { code: 'odd' } })).message).toBe(
    'the upstream answered with status 400 and only the code odd',
  )
})

test('an HTML page becomes an api_error with its title', () => {
  const page = '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>nginx</body></html>'
  expect(decodeError(failure(502, page))).toMatchObject({
    status: 500,
    kind: 'api_error',
    message: '502 Bad Gateway',
  })
})

test('neither keys nor paths nor stacks reach the client', () => {
  const message = 'bad key sk-live-0123456789 in /home/ann/.env\n    at load (/srv/app.js:1:2)'
  expect(decodeError(failure(500, openai(message))).message).toBe('bad key sk-*** in [path]')
})

test.each([
  [{ error: { message: 'm', code: 502 } }, 500, 'api_error'],
  [{ error: { message: 'm', code: '429' } }, 429, 'rate_limit_error'],
  [{ error: { message: 'm', code: 'tool_use_failed', status_code: 400 } }, 400, 'invalid_request_error'],
  [{ error: { message: 'm', code: 503, status: 'UNAVAILABLE' } }, 529, 'overloaded_error'],
  [openai('m', 'rate_limit_exceeded', 'tokens'), 429, 'rate_limit_error'],
  [openai('m'), 400, 'invalid_request_error'],
  [openai('m', null, 'server_error'), 500, 'api_error'],
  [openai('m', null, 'overloaded_error'), 529, 'overloaded_error'],
  [openai('m', 'server_is_overloaded', 'service_unavailable_error'), 529, 'overloaded_error'],
  [openai('m', 'insufficient_quota', 'insufficient_quota'), 402, 'billing_error'],
  [openai('m', 'invalid_api_key'), 401, 'authentication_error'],
  [openai('m', 'invalid_request_error', 'authentication_error'), 401, 'authentication_error'],
  [openai('m', 'model_not_found'), 404, 'not_found_error'],
  [{ error: { message: 'm', status: 'RESOURCE_EXHAUSTED' } }, 429, 'rate_limit_error'],
  [{ base_resp: { status_code: 1008, status_msg: 'm' } }, 402, 'billing_error'],
  [{ base_resp: { status_code: 1002, status_msg: 'm' } }, 429, 'rate_limit_error'],
  [openai('m', 'never heard of', 'odd'), 500, 'api_error'],
  [{ error: 'm' }, 500, 'api_error'],
  [{ object: 'error', message: 'm', code: 40301 }, 500, 'api_error'],
])('without an HTTP status %o becomes %i %s', (payload, status, kind) => {
  expect(decodeErrorPayload(payload)).toMatchObject({ status, kind, message: 'm' })
  expect(decodeErrorPayload(payload, 200)).toMatchObject({ status, kind })
})

test('an error status that is given goes before what the payload says', () => {
  expect(decodeErrorPayload({ error: { message: 'm', code: 500 } }, 404).kind).toBe('not_found_error')
})

test.each([undefined, null, 1, '', {}, [], { error: null }])('%o is an error without words', (payload) => {
  expect(decodeErrorPayload(payload)).toMatchObject({
    kind: 'api_error',
    message: 'the upstream reported an error with no message',
  })
})

test('an error nested without end is read to a limit', () => {
  let body: unknown = { message: 'deep' }
  for (let level = 0; level < 1000; level += 1) body = { error: body }
  expect(decodeErrorPayload(body).kind).toBe('api_error')
})

test.each([
  { error: { message: 'x' } },
  { error: 'x' },
  { error: { message: 'x' }, choices: [{ index: 0, delta: {} }] },
  { object: 'error', message: 'x' },
  { type: 'error', error: { message: 'x' } },
  { detail: 'x' },
  { detail: [{ msg: 'x' }] },
  { message: 'x', request_id: 'y' },
  { code: 'x', error: 'y' },
  { errors: [{ message: 'x' }] },
  { base_resp: { status_code: 2013, status_msg: 'x' }, choices: null },
  { base_resp: { status_code: 2013, status_msg: 'x' }, choices: [] },
  { choices: [{ index: 0, error: { code: 502 } }] },
  [{ error: { message: 'x' } }],
])('%o is an error', (payload) => {
  expect(isErrorPayload(payload)).toBe(true)
})

test.each([
  { id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'x' } }], error: null },
  { choices: [], usage: { total_tokens: 1 } },
  { choices: [{ index: 0, delta: {}, error: null }], error: '' },
  { choices: [{ index: 0, delta: {} }], message: 'x', detail: 'y' },
  { choices: [{ index: 0, delta: {} }], base_resp: { status_code: 0, status_msg: '' } },
  { choices: [], error: {} },
  { message: { role: 'assistant', content: 'x' }, done: false },
  { error: false },
  {},
  [],
  null,
  'error',
  1,
])('%o is no error', (payload) => {
  expect(isErrorPayload(payload)).toBe(false)
})
