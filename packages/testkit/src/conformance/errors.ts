import { expect, test } from 'vitest'
import { eventually, within } from '../eventually.ts'
import type { RawConnection } from '../http/raw-connection.ts'
import { collectEvents, textOf } from '../http/server-event.ts'
import { DONE, finishChunk, textChunk } from '../upstream/chunks.ts'
import { cut, event, head, type Step } from '../upstream/step.ts'
import { answer, cutAt, events, play, refuse, type Turn } from '../upstream/turn.ts'
import type { Bind } from './bind.ts'
import { askRaw, askStream, askWhole, expectError } from './client.ts'
import { stage, UPSTREAM_KEY } from './scene.ts'

interface Refusal {
  readonly name: string
  readonly turn: Turn
  readonly status: number
  readonly kind: string
  readonly message: RegExp
  readonly headers?: Readonly<Record<string, string>>
}

const OVERFLOW = {
  message:
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130254 tokens.",
  type: 'invalid_request_error',
  param: 'messages',
  code: 'context_length_exceeded',
}

const HTML = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>'

const REFUSALS: readonly Refusal[] = [
  {
    name: '401',
    turn: refuse(401, {
      message: 'Incorrect API key',
      type: 'invalid_request_error',
      code: 'invalid_api_key',
    }),
    status: 401,
    kind: 'authentication_error',
    message: /Incorrect API key/,
    headers: { 'x-should-retry': 'false' },
  },
  {
    name: '429 with retry-after',
    turn: refuse(429, { message: 'Slow down', type: 'requests' }, { 'retry-after': '7' }),
    status: 429,
    kind: 'rate_limit_error',
    message: /Slow down/,
    headers: { 'retry-after': '7' },
  },
  {
    name: '500',
    turn: refuse(500, { message: 'The server had an error', type: 'server_error' }),
    status: 500,
    kind: 'api_error',
    message: /The server had an error/,
  },
  {
    name: 'a context overflow',
    turn: refuse(400, OVERFLOW),
    status: 400,
    kind: 'invalid_request_error',
    message: /^prompt is too long: 130254 tokens > 128000 maximum$/,
  },
  {
    name: 'HTML with a status of error',
    turn: refuse(502, HTML, { 'content-type': 'text/html' }),
    status: 500,
    kind: 'api_error',
    message: /502 Bad Gateway/,
  },
  {
    name: 'HTML with a status of success',
    turn: refuse(200, HTML, { 'content-type': 'text/html' }),
    status: 502,
    kind: 'api_error',
    message: /./,
  },
  {
    name: 'an error as the first event',
    turn: events({ error: { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' } }),
    status: 429,
    kind: 'rate_limit_error',
    message: /Rate limit reached/,
  },
  {
    name: 'an empty stream',
    turn: play(head()),
    status: 502,
    kind: 'api_error',
    message: /./,
  },
  {
    name: 'a redirect',
    turn: play(head(302, { location: 'http://127.0.0.1:1/', 'content-length': '0' })),
    status: 502,
    kind: 'api_error',
    message: /not followed/,
  },
  {
    name: 'a connection that is reset before the status',
    turn: play(cut('reset')),
    status: 502,
    kind: 'api_error',
    message: /upstream scripted: the connection/,
  },
]

/** An upstream that fails before its first event gives its error a status. */
export function refusalTests(bind: Bind): void {
  for (const stream of [false, true]) {
    for (const { name, turn, status, kind, message, headers = {} } of REFUSALS) {
      test(`${name} becomes ${status} ${kind} ${stream ? 'for a stream' : 'for a whole answer'}`, async () => {
        const { url, reports } = await stage(bind, turn)
        const response = await askWhole(url, { stream })
        const { error } = await expectError(response, status, kind)
        expect(error.message).toMatch(message)
        expect(error.message).not.toContain(UPSTREAM_KEY)
        expect(Object.fromEntries(response.headers)).toMatchObject(headers)
        await eventually(() => reports.length > 0, 'a report')
        expect(reports).toMatchObject([{ outcome: 'failed', status, error: { kind } }])
      })
    }
  }

  test('a failure before the first byte is tried again', async () => {
    const script = [refuse(500, { message: 'busy' }), answer({ text: 'Hello' })]
    const { url, upstream, reports } = await stage(bind, script, {
      gateway: { retries: { times: 2, budget: 10_000, pause: 1 } },
    })
    expect(textOf(await collectEvents(await askStream(url)))).toBe('Hello')
    expect(upstream.seen).toHaveLength(2)
    await eventually(() => reports.length > 0, 'a report')
    expect(reports).toMatchObject([{ outcome: 'answered', retries: 1 }])
  })
}

interface Break {
  readonly name: string
  /** What follows after the client has seen the beginning. */
  readonly steps: readonly Step[]
}

const BREAKS: readonly Break[] = [
  {
    name: 'an error in the stream',
    steps: [
      event({ error: { message: 'It broke', type: 'server_error' } }),
      event(finishChunk()),
      event(DONE),
    ],
  },
  { name: 'a reset in the stream', steps: [cut('reset')] },
  { name: 'a connection closed early', steps: [cut('close')] },
  { name: 'a body that ends without a finish', steps: [] },
  { name: 'an event that is no JSON', steps: [event('{"choices":['), event(finishChunk()), event(DONE)] },
]

/** A stream that breaks is never mistaken for one that ended. */
export function brokenStreamTests(bind: Bind): void {
  for (const { name, steps } of BREAKS) {
    test(`${name} becomes an error event, and the connection is closed`, async () => {
      let connection: RawConnection | undefined
      const { url, reports } = await stage(bind, async function* turn() {
        yield head()
        yield event(textChunk('Beginning'))
        await eventually(() => connection?.received.includes('Beginning'), 'the beginning at the client')
        yield* steps
      })
      connection = await askRaw(url, { stream: true })
      await within(connection.closed(), 'the end of the connection')
      const { received } = connection
      expect(received).toMatch(/^HTTP\/1.1 200 /)
      expect(received).toMatch(
        /event: error\ndata: {"type":"error","error":{"type":"overloaded_error",.*}}\n\n[\s0]*$/,
      )
      expect(received.match(/^event: error$/gm)).toHaveLength(1)
      expect(received).not.toContain('message_stop')
      await eventually(() => reports.length > 0, 'a report')
      expect(reports).toMatchObject([{ outcome: 'failed', status: 200 }])
    })
  }

  test('an answer that is cut within its body is an error for who wants it whole', async () => {
    const { url } = await stage(bind, cutAt(answer({ text: 'Hello' }), 200, 'close'))
    await expectError(await askWhole(url), 502, 'api_error')
  })
}
