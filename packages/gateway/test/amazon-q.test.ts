import { profiles } from '@hydra/core'
import { expect, test } from 'vitest'
import { bodyOf, endEvent, eventFrame, textEvent, wholeCall } from '../../core/test/amazon-q/frames.ts'
import { Secret, type Upstream } from '../src/index.ts'
import { CLOSING_HEAD, jsonAnswer } from './answers.ts'
import { closing, expectNothingUnhandled, inTime } from './eventually.ts'
import { post, type Proxy, startProxy } from './proxy.ts'
import { type Script, type ScriptedUpstream, scriptedUpstream } from './scripted-upstream.ts'

expectNothingUnhandled()
const opened = closing()

const KEY = ['token', 'of', 'nobody'].join('-')

async function proxyTo(script: Script): Promise<{ proxy: Proxy; upstream: ScriptedUpstream }> {
  const upstream = await opened(scriptedUpstream(script))
  const url = new URL(upstream.url).origin
  const service: Upstream = {
    dialect: 'amazon-q',
    url,
    key: new Secret(KEY),
    profile: profiles['amazon-q'],
  }
  let count = 0
  const proxy = await opened(
    startProxy({
      upstreams: { up: service },
      newId: () => `id${(count += 1)}`,
      retries: { times: 1, pause: 1 },
    }),
  )
  return { upstream, proxy }
}

const HEAD = CLOSING_HEAD.replace('text/event-stream', 'application/vnd.amazon.eventstream')
const ANSWER = bodyOf(
  textEvent('Guten '),
  textEvent('Tag.'),
  ...wholeCall('t1', { path: 'x' }),
  endEvent('TOOL_USE'),
)

async function answerInBytes(wire: Parameters<Script>[0], body: Uint8Array): Promise<void> {
  await wire.write(HEAD)
  // Three reads, which end wherever they end.
  const third = Math.ceil(body.length / 3)
  for (const at of [0, third]) {
    // oxlint-disable-next-line no-await-in-loop -- one read after the other
    await wire.write(body.slice(at, at + third))
  }
  wire.end(body.slice(2 * third))
}

test('a service of strict turns is called in its own form, and its frames become events', async () => {
  const { proxy, upstream } = await proxyTo((wire) => answerInBytes(wire, ANSWER))
  const text = await (await inTime(post(proxy, { system: 'Be brief.' }), 'an answer')).text()
  expect(text).toContain('"text":"Guten "')
  expect(text).toContain('"name":"Read"')
  expect(text).toContain('"stop_reason":"tool_use"')
  const [request] = upstream.requests
  expect(request).toMatchObject({
    path: '/',
    headers: {
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/x-amz-json-1.0',
      accept: 'application/vnd.amazon.eventstream',
      'x-amz-target': 'AmazonCodeWhispererStreamingService.GenerateAssistantResponse',
      'user-agent': expect.stringMatching(/^hydra\//) as string,
    },
  })
  expect(JSON.parse(request?.body ?? '')).toMatchObject({
    conversationState: {
      history: [],
      currentMessage: {
        userInputMessage: { content: expect.stringContaining('Be brief.') as string, modelId: 'm' },
      },
      chatTriggerType: 'MANUAL',
      conversationId: expect.stringMatching(/^id\d+$/) as string,
    },
  })
})

test('a client that wants no stream gets one message', async () => {
  const { proxy } = await proxyTo((wire) => answerInBytes(wire, ANSWER))
  const response = await inTime(post(proxy, { stream: false }), 'an answer')
  expect(await response.json()).toMatchObject({
    content: [
      { type: 'text', text: 'Guten Tag.' },
      { type: 'tool_use', id: 't1', name: 'Read', input: { path: 'x' } },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 11, output_tokens: 7 },
  })
})

test('two requests have two conversation ids', async () => {
  const { proxy, upstream } = await proxyTo((wire) => answerInBytes(wire, ANSWER))
  await (await post(proxy)).text()
  await (await post(proxy)).text()
  const ids = upstream.requests.map(({ body }) => /"conversationId":"(\w+)"/.exec(body)?.[1])
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(2)
})

test('an answer that is cut between two frames ends in an error', async () => {
  const { proxy } = await proxyTo((wire) => answerInBytes(wire, eventFrame(textEvent('Guten Tag.'))))
  const text = await (await inTime(post(proxy), 'an answer')).text()
  expect(text).toContain('event: error')
  expect(text).toContain('before its metadataEvent came')
  expect(text).not.toContain('message_stop')
})

test('throttling is told as such and was tried again, though its status is 400', async () => {
  const { proxy, upstream } = await proxyTo((wire) =>
    wire.write(jsonAnswer(400, { __type: 'com.amazon#ThrottlingException', message: 'Slow down.' })),
  )
  const response = await inTime(post(proxy), 'an answer')
  expect(response.status).toBe(429)
  expect(await response.json()).toMatchObject({ error: { type: 'rate_limit_error', message: 'Slow down.' } })
  expect(upstream.requests).toHaveLength(2)
})
