import { profiles, registry } from '@hydra/core'
import { expect, test } from 'vitest'
import { Secret } from '../src/index.ts'
import { chunked, jsonAnswer, LAST_CHUNK } from './answers.ts'
import { closing, expectNothingUnhandled, inTime } from './eventually.ts'
import { chatUpstream, type Proxy, type ProxyOptions, startProxy } from './proxy.ts'
import { type Script, type ScriptedUpstream, scriptedUpstream } from './scripted-upstream.ts'

expectNothingUnhandled()
const opened = closing()

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
const event = (fields: object): string =>
  `data: ${JSON.stringify({ id: 'theirs', object: 'chat.completion.chunk', created: 1, model: 'real', ...fields })}   \n\n`
const ROLE = event({ choices: [{ index: 0, delta: { role: 'assistant', content: '' }, logprobs: { x: 1 } }] })
const TEXT = event({ choices: [{ index: 0, delta: { content: 'Hi' } }], of_tomorrow: true })
const FINISH = event({
  choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
  usage: { prompt_tokens: 7, completion_tokens: 3 },
})
const DONE = 'data: [DONE]\n\n'
const STREAM = ': hello\n\n' + ROLE + TEXT + FINISH + DONE

interface Relaying {
  readonly proxy: Proxy
  readonly upstream: ScriptedUpstream
}

async function relaying(script: Script, options: ProxyOptions = {}): Promise<Relaying> {
  const upstream = await opened(scriptedUpstream(script))
  const up = chatUpstream(upstream.url, { key: new Secret('sk-of-the-upstream') })
  const routes = [{ name: 'all', upstream: 'up', model: 'real' }]
  return { proxy: await opened(startProxy({ upstreams: { up }, routes, ...options })), upstream }
}

const BODY = { model: 'asked', stream: true, messages: [{ role: 'user', content: 'Hi' }] }

function ask(proxy: Proxy, fields: object = {}): Promise<Response> {
  return fetch(`${proxy.url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ ...BODY, ...fields }),
    headers: { 'content-type': 'application/json', authorization: 'Bearer of-the-client' },
  })
}

test('a client of the upstream’s dialect gets its answer byte for byte, and the upstream every field', async () => {
  const { proxy, upstream } = await relaying((wire) => wire.write(HEAD + chunked(STREAM) + LAST_CHUNK))
  const fields = { n: 2, logprobs: true, of_tomorrow: { a: 1 } }
  const response = await ask(proxy, fields)
  expect(await response.text()).toBe(STREAM)
  const [request] = upstream.requests
  expect(JSON.parse(request?.body ?? '')).toEqual({ ...BODY, ...fields, model: 'real' })
  expect(request?.headers).toMatchObject({ authorization: 'Bearer sk-of-the-upstream' })
  expect(proxy.reports[0]).toMatchObject({
    outcome: 'answered',
    usage: { input_tokens: 7, output_tokens: 3 },
    stopReason: 'end_turn',
    notes: [],
  })
})

test('a cut is an error in the client’s form, behind the last whole event', async () => {
  const { proxy } = await relaying((wire) => wire.end(HEAD + chunked(ROLE + TEXT + 'data: {"cho')))
  const text = await inTime((await ask(proxy)).text(), 'the end')
  expect(text.startsWith(ROLE + TEXT)).toBe(true)
  expect(text.slice((ROLE + TEXT).length)).toMatch(/^data: \{"error":.*\n\n$/)
  expect(text).not.toContain('[DONE]')
  expect(proxy.reports[0]).toMatchObject({ outcome: 'failed' })
})

test('a failure before the message begins is tried again, as everywhere', async () => {
  const { proxy, upstream } = await relaying(
    (wire, _request, index) =>
      index === 0 ? wire.end(HEAD + chunked(ROLE)) : wire.write(HEAD + chunked(STREAM) + LAST_CHUNK),
    { retries: { times: 1, pause: 1 } },
  )
  expect(await (await ask(proxy)).text()).toBe(STREAM)
  expect(upstream.requests).toHaveLength(2)
})

test('an error status keeps the upstream’s own body, without its key', async () => {
  const error = { message: 'no such key: sk-of-the-upstream', type: 'x', code: 'y', of_tomorrow: 1 }
  const { proxy } = await relaying((wire) => wire.write(jsonAnswer(400, { error })))
  const response = await ask(proxy)
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({
    error: { ...error, message: expect.not.stringContaining('upstream') as string },
  })
})

test('an error status stays the upstream’s own, also where the hub has another for the same failure', async () => {
  const error = { message: 'The server is overloaded', code: 503 }
  const { proxy } = await relaying((wire) => wire.write(jsonAnswer(529, { error })), {
    retries: { times: 0 },
  })
  expect((await ask(proxy)).status).toBe(529)
})

const ODD = 'data: {"choices":[{"index":0,"delta":{"reasoning":{"of":"tomorrow"}},"finish_reason":null}]}\n\n'

test.each([
  ['before the text', ROLE + ODD + STREAM],
  ['behind the finish', ROLE + TEXT + FINISH + ODD + DONE],
])(
  'what our reader does not know of a stream is the client’s to understand, and noted: %s',
  async (_name, stream) => {
    const { proxy } = await relaying((wire) => wire.write(HEAD + chunked(stream) + LAST_CHUNK))
    expect(await (await ask(proxy)).text()).toBe(stream)
    expect(proxy.reports[0]).toMatchObject({ outcome: 'answered', notes: [{ code: 'answer_unread' }] })
  },
)

test('a cut is told also behind what our reader does not know', async () => {
  const { proxy } = await relaying((wire) => wire.end(HEAD + chunked(ROLE + TEXT + ODD)))
  const text = await inTime((await ask(proxy)).text(), 'the end')
  expect(text.slice((ROLE + TEXT + ODD).length)).toMatch(/^data: \{"error":.*\n\n$/)
})

test.each([
  [
    'a whole answer that its head calls events',
    {},
    HEAD +
      chunked(
        '{"id":"w","choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}]}',
      ) +
      LAST_CHUNK,
    'data: [DONE]',
  ],
  [
    'events for a whole answer',
    { stream: false },
    HEAD + chunked(STREAM) + LAST_CHUNK,
    '"object":"chat.completion"',
  ],
  [
    'a whole answer for events',
    {},
    jsonAnswer(200, {
      id: 'w',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    }),
    'data: [DONE]',
  ],
])(
  'an answer in the form that was not asked for is translated: %s',
  async (_name, fields, answer, expected) => {
    const { proxy } = await relaying((wire) => wire.write(answer))
    expect(await (await ask(proxy, fields)).text()).toContain(expected)
  },
)

test.each([
  ['a route', { routes: [{ name: 'all', upstream: 'up', translate: 'always' as const }] }],
  ['a route that spoofs', { routes: [{ name: 'all', upstream: 'up', spoof: 'asked' }] }],
])('%s may ask for the translation', async (_name, options) => {
  const { proxy } = await relaying((wire) => wire.write(HEAD + chunked(STREAM) + LAST_CHUNK), options)
  const text = await (await ask(proxy)).text()
  expect(text).not.toContain('of_tomorrow')
  expect(text).toContain('"model":"asked"')
  expect((await ask(proxy, { n: 2 })).status).toBe(400)
})

test('a fallback to another dialect goes through the hub', async () => {
  const message = {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'Hi' }],
    stop_reason: 'end_turn',
  }
  const claude = await opened(
    scriptedUpstream((wire) =>
      wire.write(jsonAnswer(200, { ...message, usage: { input_tokens: 1, output_tokens: 1 } })),
    ),
  )
  const down = await opened(
    scriptedUpstream((wire) => wire.write(jsonAnswer(503, { error: { message: 'down' } }))),
  )
  const proxy = await opened(
    startProxy({
      upstreams: {
        up: chatUpstream(down.url),
        claude: { dialect: 'anthropic', url: claude.url, profile: profiles.anthropic },
      },
      routes: [
        { name: 'all', upstream: 'up', fallbacks: [{ upstream: 'claude', model: 'claude-opus-5-5' }] },
      ],
    }),
  )
  expect(await (await ask(proxy, { stream: false })).json()).toMatchObject({
    choices: [{ message: { content: 'Hi' } }],
  })
})

/** Every dialect that can be relayed, and where its clients call. */
const CALLS: Readonly<Record<string, { readonly path: string; readonly body: object }>> = {
  anthropic: {
    path: '/v1/messages',
    body: { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] },
  },
  'openai-chat': {
    path: '/v1/chat/completions',
    body: { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
  },
  'openai-responses': { path: '/v1/responses', body: { model: 'm', input: 'Hi', store: false } },
}

const LOOPS = Object.keys(CALLS).flatMap((dialect) =>
  [true, false].flatMap((first) => [true, false].map((second) => ({ dialect, first, second }))),
)

test.each(LOOPS)(
  'gateways in a circle find it out: $dialect, passing $first and $second',
  async ({ dialect, first, second }) => {
    let address = 'http://127.0.0.1:9'
    const { profile } = { profile: registry.upstream(dialect).defaultProfile }
    const upstreams = {
      up: {
        dialect,
        profile,
        get url() {
          return `${address}/v1`
        },
      },
    }
    const one = await opened(
      startProxy({ upstreams, routes: [{ name: 'all', upstream: 'up', passthrough: first }] }),
    )
    const other = await opened(
      startProxy({
        upstreams: { up: { dialect, profile, url: `${one.url}/v1` } },
        routes: [{ name: 'all', upstream: 'up', passthrough: second }],
      }),
    )
    address = other.url
    const call = CALLS[dialect]
    const asked = fetch(one.url + call?.path, {
      method: 'POST',
      body: JSON.stringify(call?.body),
      headers: { 'content-type': 'application/json' },
    })
    const response = await inTime(asked, 'a refusal')
    expect(response.status).toBeGreaterThanOrEqual(500)
    expect(await response.text()).toContain('the request has come back to the gateway that sent it')
    expect(one.reports.length + other.reports.length).toBe(3)
  },
)
