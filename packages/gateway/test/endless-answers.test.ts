import { expect, test } from 'vitest'
import { CHUNKED_HEAD, chunked, textEvent } from './answers.ts'
import { closing, eventually, expectNothingUnhandled } from './eventually.ts'
import { startProxy } from './proxy.ts'
import { readBroken } from './read-broken.ts'
import { scriptedUpstream } from './scripted-upstream.ts'

expectNothingUnhandled()
const opened = closing()

const LIMIT = 1024 * 1024
const PIECE = chunked(textEvent('x'.repeat(100)).repeat(100))
/** What is sent to somebody who reads on; far more than the bound, so that it is seen that somebody does. */
const MUCH = 40 * LIMIT

const HELLO = [{ role: 'user', content: 'Hi' }]
/** Every way in which an answer is kept until it is whole. */
const KEPT: Readonly<Record<string, readonly [path: string, body: object]>> = {
  'Messages, whole': ['/v1/messages', { max_tokens: 100, messages: HELLO }],
  'Chat, whole': ['/v1/chat/completions', { messages: HELLO }],
  'Responses, whole': ['/v1/responses', { input: 'Hi' }],
  'Responses, streamed': ['/v1/responses', { input: 'Hi', stream: true }],
}

async function flood(path: string, body: object) {
  let sent = 0
  const upstream = await opened(
    scriptedUpstream(async (wire) => {
      await wire.write(CHUNKED_HEAD)
      while (sent < MUCH && !wire.socket.destroyed) {
        // oxlint-disable-next-line no-await-in-loop -- at the pace at which it is read
        await wire.write(PIECE)
        sent += PIECE.length
      }
      wire.end()
    }),
  )
  const proxy = await opened(
    startProxy({ upstream: upstream.url, limits: { answer: LIMIT }, retries: { times: 2 } }),
  )
  const response = await fetch(proxy.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', ...body }),
  })
  const { text } = await readBroken(response)
  await eventually(() => proxy.gateway.active === 0, 'nothing under way')
  return { status: response.status, text, sent, calls: upstream.requests.length, report: proxy.reports[0] }
}

test.each(Object.keys(KEPT))('an upstream that does not stop is given up: %s', async (kind) => {
  const [path, body] = KEPT[kind] ?? expect.unreachable()
  const { status, text, sent, calls, report } = await flood(path, body)
  const isStream = 'stream' in body
  expect(status).toBe(isStream ? 200 : 502)
  expect(text).toContain('expected an answer of at most 1048576 characters')
  expect(text).not.toContain('response.completed')
  expect(sent).toBeLessThan(MUCH)
  expect(calls).toBe(1)
  expect(report).toMatchObject({ outcome: 'failed', error: { kind: 'api_error' } })
})
