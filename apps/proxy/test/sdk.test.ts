import Anthropic, { APIError } from '@anthropic-ai/sdk'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { answer, beginStream, refuse, writeChunk } from './chat.ts'
import { closing } from './closing.ts'
import { startHydra } from './hydra.ts'
import { configFile } from './temporary.ts'
import { type Script, startUpstream, type Upstream } from './upstream.ts'

const opened = closing()
let script: Script = answer({ text: 'Hello there.' })
let upstream: Upstream
let client: Anthropic
/** How many requests earlier tests have made. */
let before = 0

beforeAll(async () => {
  upstream = await opened(startUpstream((seen, response, number) => script(seen, response, number - before)))
  const config = configFile({
    upstreams: { up: { url: upstream.url, profile: 'openai', key: 'env:UPSTREAM_KEY' } },
    routes: [{ upstream: 'up', model: 'gpt-test' }],
    retries: { pause: 1 },
  })
  const hydra = await opened(startHydra(['--config', config], { UPSTREAM_KEY: 'sk-upstream' }))
  client = new Anthropic({ baseURL: hydra.url, apiKey: 'any', maxRetries: 0 })
})

beforeEach(() => {
  before = upstream.seen.length
})

const REQUEST = {
  model: 'claude-sonnet-5',
  max_tokens: 1000,
  messages: [{ role: 'user' as const, content: 'Hi' }],
}

const WEATHER = {
  name: 'get_weather',
  description: 'The weather of a city',
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] },
}

async function failure(promise: Promise<unknown>): Promise<InstanceType<typeof APIError>> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof APIError)) throw new Error('expected an error of the API')
  return error
}

test('a message in one piece', async () => {
  script = answer({ text: 'Hello there.' })
  const message = await client.messages.create(REQUEST)
  expect(message).toMatchObject({
    model: 'claude-sonnet-5',
    role: 'assistant',
    stop_reason: 'end_turn',
    content: [{ type: 'text', text: 'Hello there.' }],
    usage: { input_tokens: 200, cache_read_input_tokens: 1000, output_tokens: 34 },
  })
  const [seen] = upstream.seen.slice(before)
  expect(seen?.path).toBe('/v1/chat/completions')
  expect(seen?.body.model).toBe('gpt-test')
  expect(seen?.headers.authorization).toBe('Bearer sk-upstream')
})

test('a stream, piece by piece', async () => {
  script = answer({ text: 'One two three.' })
  const pieces: string[] = []
  const stream = client.messages.stream(REQUEST).on('text', (text) => pieces.push(text))
  expect(await stream.finalText()).toBe('One two three.')
  expect(pieces.join('')).toBe('One two three.')
  expect(await stream.finalMessage()).toMatchObject({ stop_reason: 'end_turn', model: 'claude-sonnet-5' })
})

test('tools over several turns, two at once', async () => {
  script = (seen, response, number) => {
    const calls = ['Rome', 'Oslo'].map((city) => ({
      id: `call_${city}`,
      name: 'get_weather',
      input: { city },
    }))
    const turn = number === 0 ? { text: 'Let me look.', calls } : { text: 'Rome is warm, Oslo is not.' }
    return answer(turn)(seen, response, number)
  }
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Weather?' }]
  const first = await client.messages.stream({ ...REQUEST, messages, tools: [WEATHER] }).finalMessage()
  expect(first.stop_reason).toBe('tool_use')
  const calls = first.content.filter((block) => block.type === 'tool_use')
  expect(calls.map(({ name, input }) => [name, input])).toEqual([
    ['get_weather', { city: 'Rome' }],
    ['get_weather', { city: 'Oslo' }],
  ])
  messages.push({ role: 'assistant', content: first.content })
  messages.push({
    role: 'user',
    content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: `result of ${id}` })),
  })
  const second = await client.messages.create({ ...REQUEST, messages, tools: [WEATHER] })
  expect(second.content).toMatchObject([{ type: 'text', text: 'Rome is warm, Oslo is not.' }])
  const roles = upstream.seen[before + 1]?.body.messages.map(({ role }) => role)
  expect(roles).toEqual(['user', 'assistant', 'tool', 'tool'])
})

test.each([
  ['a wrong key', 401, { message: 'Bad key', code: 'invalid_api_key' }, 'authentication_error', 'false'],
  ['an unknown model', 404, { message: 'No such model', code: 'model_not_found' }, 'not_found_error', null],
  ['a bad request', 400, { message: 'Bad', type: 'invalid_request_error' }, 'invalid_request_error', null],
])('%s is told as such, and is not tried again', async (_name, status, error, type, shouldRetry) => {
  script = refuse(status, error)
  const told = await failure(client.messages.create(REQUEST))
  expect(told.status).toBe(status)
  expect(told.error).toMatchObject({ type: 'error', error: { type } })
  expect(told.headers?.get('x-should-retry') ?? null).toBe(shouldRetry)
  expect(told.requestID).toMatch(/^req_/)
  expect(upstream.seen.length - before).toBe(1)
})

test('a limit of the rate says how long to wait', async () => {
  script = refuse(429, { message: 'Slow down', code: 'rate_limit_exceeded' }, { 'retry-after': '120' })
  const told = await failure(client.messages.create(REQUEST))
  expect(told.status).toBe(429)
  expect(told.headers?.get('retry-after')).toBe('120')
  expect(told.error).toMatchObject({ error: { type: 'rate_limit_error' } })
})

test('a prompt that is too long is told in words that make Claude Code compact', async () => {
  script = refuse(400, {
    message: "This model's maximum context length is 8192 tokens, however you requested 9000 tokens.",
    code: 'context_length_exceeded',
  })
  const told = await failure(client.messages.create(REQUEST))
  expect(told.status).toBe(400)
  expect(told.message).toContain('prompt is too long: 9000 tokens > 8192 maximum')
})

test('a server error is tried three times before the client hears of it', async () => {
  script = refuse(500, { message: 'Oops' })
  const told = await failure(client.messages.create(REQUEST))
  expect(told.status).toBe(500)
  expect(upstream.seen.length - before).toBe(3)
})

test('an upstream that recovers is not noticed', async () => {
  script = (seen, response, number) =>
    number < 2
      ? refuse(503, { message: 'Busy' })(seen, response, number)
      : answer({ text: 'At last.' })(seen, response, number)
  expect(await client.messages.stream(REQUEST).finalText()).toBe('At last.')
  expect(upstream.seen.length - before).toBe(3)
})

test('a stream that breaks is an error, never an answer', async () => {
  script = (_seen, response) => {
    beginStream(response)
    writeChunk(response, { content: 'Half of ' })
    setImmediate(() => response.destroy())
  }
  const told = await failure(client.messages.stream(REQUEST).finalMessage())
  expect(told.message).toContain('upstream up')
})

test('a client that aborts ends the call of the upstream', async () => {
  script = (_seen, response) => {
    beginStream(response)
    writeChunk(response, { content: 'And so on' })
  }
  const stream = client.messages.stream(REQUEST)
  stream.on('text', () => stream.abort())
  await expect(stream.finalMessage()).rejects.toThrow('aborted')
  await (
    await upstream.request(before)
  ).over
})

test('tokens are counted and models are listed', async () => {
  expect((await client.messages.countTokens(REQUEST)).input_tokens).toBeGreaterThan(0)
  const { data } = await client.models.list()
  expect(data.map(({ id }) => id)).toEqual(['gpt-test'])
})
