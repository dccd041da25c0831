import { once } from 'node:events'
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Tape } from '../../src/format/tape.ts'
import { type TapeHandlerOptions, type TapeHandlers, tapeHandlers } from '../../src/msw/tape-handlers.ts'
import { EVENT_STREAM, tapeByHand, type TestAnswer } from '../tape-by-hand.ts'
import { SDK_CALLS } from './sdk-calls.ts'

/** What both versions of msw have. */
interface Server<Handler> {
  listen(options?: object): void
  use(...handlers: Handler[]): void
  resetHandlers(): void
  close(): void
}

const URL_OF_MODEL = 'https://model.invalid/v1/chat/completions'
const ASK = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hello' }] }
const EVENTS = ['data: {"a":1}\n\n', 'data: {"b', '":2}\n\nda', 'ta: [DONE]\n\n']

/** What holds for tapes in every version of msw. */
export function mswSuite<Handler>(setupServer: () => Server<Handler>): void {
  const server = setupServer()
  beforeAll(() => server.listen({ onUnhandledRequest: 'error', onUnhandledFrame: 'error' }))
  afterEach(() => server.resetHandlers())
  afterAll(() => server.close())

  const use = (tape: Tape | readonly Tape[], options?: TapeHandlerOptions): TapeHandlers => {
    const handlers = tapeHandlers(tape, options)
    // In a test of an older msw they are handlers of that one, whatever their type says.
    server.use(...(handlers as readonly unknown[] as Handler[]))
    return handlers
  }
  const useAnswer = (answer: TestAnswer, options?: TapeHandlerOptions): TapeHandlers =>
    use(tapeByHand({ body: ASK, answer: { status: 200, headers: EVENT_STREAM, ...answer } }), options)

  test('fetch gets the recorded status, headers and pieces', async () => {
    using tape = useAnswer({ status: 201, chunks: EVENTS, headers: { 'x-request-id': 'req_1' } })
    const response = await ask()
    expect(response.status).toBe(201)
    expect(response.headers.get('x-request-id')).toBe('req_1')
    expect((await readAll(response)).pieces).toEqual(EVENTS)
    expect(tape.requests).toMatchObject([{ exchange: 1, by: 'request' }])
  })

  test('fetch gets the pieces at their times if that is asked for', async () => {
    useAnswer({ chunks: EVENTS, gap: 40 }, { speed: 1 })
    const start = performance.now()
    const { pieces, times, text } = await readAll(await ask())
    expect(text).toBe(EVENTS.join(''))
    // A busy machine may deliver late, and pieces that are late together as one; none of them is ever early.
    const early = pieces.map((_piece, index) => {
      const begun = EVENTS.filter((_event, number) => lengthOf(EVENTS, number) < lengthOf(pieces, index + 1))
      return start + (begun.length + 1) * 40 - (times[index] ?? 0)
    })
    expect(Math.max(...early)).toBeLessThan(5)
  })

  test('fetch gets other pieces of the same bytes if that is asked for', async () => {
    useAnswer({ chunks: EVENTS }, { rechunk: 'bytes' })
    const { text } = await readAll(await ask())
    expect(text).toBe(EVENTS.join(''))
  })

  test('node:http gets the recorded status, headers and pieces', async () => {
    useAnswer({ status: 201, chunks: EVENTS, headers: { 'x-request-id': 'req_1' } })
    const { outgoing, response } = await askByHttp()
    const pieces: string[] = []
    response.on('data', (piece: Buffer) => pieces.push(piece.toString()))
    await once(response, 'end')
    expect(response.statusCode).toBe(201)
    expect(response.headers['x-request-id']).toBe('req_1')
    expect(pieces.join('')).toBe(EVENTS.join(''))
    expect(outgoing.destroyed).toBe(true)
  })

  test.each<[string, TestAnswer]>([
    ['whose recording was interrupted', { ended: 'open' }],
    ['that the upstream reset', { ended: 'aborted', abortedBy: 'upstream' }],
  ])('an answer %s fails fetch after its bytes and is never a clean end', async (_what, end) => {
    useAnswer({ chunks: EVENTS, ...end })
    const read = await readAll(await ask())
    expect(read.text).toBe(EVENTS.join(''))
    expect(read.failure).toBeInstanceOf(Error)
  })

  test('an answer that was cut fails node:http and is never a clean end', async () => {
    useAnswer({ chunks: EVENTS, ended: 'aborted', abortedBy: 'upstream' })
    const { response } = await askByHttp()
    const events: string[] = []
    response.on('data', () => {}).on('end', () => events.push('end'))
    response.on('error', () => events.push('error'))
    await new Promise((resolve) => response.on('close', resolve))
    expect(events).toEqual(['error'])
  })

  test('a call that never got an answer fails fetch', async () => {
    use(tapeByHand({ body: ASK, answer: { ended: 'aborted', abortedBy: 'upstream' } }))
    await expect(ask()).rejects.toThrow('fetch')
  })

  test.each<[string, TestAnswer]>([
    ['that goes on', { chunks: EVENTS, gap: 10_000 }],
    ['that fell silent', { chunks: EVENTS.slice(0, 1), ended: 'timeout' }],
  ])('an abort ends a stream %s', async (_what, answer) => {
    useAnswer(answer, { speed: answer.gap === undefined ? 0 : 1 })
    const leave = new AbortController()
    setTimeout(() => leave.abort(), 50)
    const failure = await ask(leave.signal)
      .then(readAll)
      .then(
        (read) => read.failure,
        (thrown: unknown) => thrown,
      )
    expect(failure).toMatchObject({ name: 'AbortError' })
  })

  test('a request that is not on the tape is told the nearest recording and fails the test', async () => {
    const tape = useAnswer({ chunks: EVENTS })
    const messages = [{ role: 'user', content: 'Good bye' }]
    const response = await fetch(URL_OF_MODEL, { method: 'POST', body: JSON.stringify({ ...ASK, messages }) })
    expect(response.status).toBe(418)
    const reason = 'the nearest is exchange 1 where messages[0].content is "Hello" and not "Good bye"'
    expect(await response.text()).toContain(JSON.stringify(reason).slice(1, -1))
    expect(() => tape.assertConsumed()).toThrow(reason)
    expect(() => tape.assertConsumed()).toThrow('nobody asked for exchange 1')
  })

  test('several tapes answer together, and the one that has the request itself comes first', async () => {
    const messages = [{ role: 'user', content: 'Good bye' }]
    const tapes = use([
      tapeByHand({ body: { ...ASK, temperature: 1 }, answer: answerOf('similar') }),
      tapeByHand({ body: ASK, answer: answerOf('same') }),
      tapeByHand({ body: { ...ASK, messages }, answer: answerOf('bye') }),
    ])
    expect(await (await ask()).text()).toBe('same')
    expect(tapes.unconsumed).toHaveLength(2)
    expect(await say({ ...ASK, messages })).toBe('bye')
    expect(await (await ask()).text()).toBe('similar')
    tapes.assertConsumed()
    expect(tapes.requests.map((asked) => 'by' in asked && asked.by)).toEqual([
      'request',
      'request',
      'conversation',
    ])

    expect(await say({ ...ASK, messages: [] })).toContain('no recording answers')
    expect(tapes.misses).toHaveLength(1)
    expect(() => tapes.assertConsumed()).toThrow('was not played as recorded')
  })

  test('of several tapes each says what was not asked for', () => {
    const tape = tapeByHand({ body: ASK, answer: {} })
    const tapes = use([
      { ...tape, folder: 'one' },
      { ...tape, folder: 'other' },
    ])
    expect(() => tapes.assertConsumed()).toThrow(/the tape one was not .*\n.*\nthe tape other was not /)
  })

  test('what is not for a model is left to other handlers', async () => {
    const tape = useAnswer({ chunks: EVENTS })
    await expect(fetch('https://shop.invalid/models')).rejects.toThrow()
    expect(tape.misses).toEqual([])
  })

  test('only the addresses that were named are answered, and all of those', async () => {
    const tape = useAnswer({ chunks: EVENTS }, { url: 'https://other.invalid/v1' })
    await expect(ask()).rejects.toThrow()
    expect(tape.misses).toEqual([])
    expect((await fetch('https://other.invalid/v1/files')).status).toBe(418)
    expect(tape.misses).toHaveLength(1)
  })

  test('a recorded answer that cannot be played is told so', async () => {
    const tape = useAnswer({ status: 999 })
    expect((await ask()).status).toBe(418)
    expect(tape.misses[0]?.explanation).toContain('exchange 1 cannot be played: expected the status')
  })

  test.each(SDK_CALLS)('$name is answered at its usual address', async ({ recorded, ask: askSdk }) => {
    using tape = use(tapeByHand(recorded), { speed: 1 })
    expect(await askSdk()).toBe('Hello')
    expect(tape.requests).toMatchObject([{ by: 'request' }])
  })

  test.each(SDK_CALLS)('$name is told what differs, once', async ({ recorded, ask: askSdk }) => {
    const tape = use(tapeByHand(recorded))
    await expect(askSdk('Good bye')).rejects.toThrow('Good bye')
    expect(tape.misses).toHaveLength(1)
  })

  test.each(SDK_CALLS)('$name fails on an answer that was cut', async ({ recorded, ask: askSdk }) => {
    const { answer } = recorded
    const chunks = answer.chunks?.slice(0, 2) ?? []
    use(tapeByHand({ ...recorded, answer: { ...answer, chunks, ended: 'aborted', abortedBy: 'upstream' } }))
    await expect(askSdk()).rejects.toThrow()
  })
}

function ask(signal?: AbortSignal): Promise<Response> {
  return fetch(URL_OF_MODEL, { method: 'POST', body: JSON.stringify(ASK), ...(signal && { signal }) })
}

function answerOf(word: string): TestAnswer {
  return { status: 200, headers: EVENT_STREAM, chunks: [word] }
}

async function say(body: object): Promise<string> {
  return (await fetch(URL_OF_MODEL, { method: 'POST', body: JSON.stringify(body) })).text()
}

/** How long the first few of these texts are together. */
function lengthOf(texts: readonly string[], count: number): number {
  return texts.slice(0, count).join('').length
}

async function askByHttp(): Promise<{ outgoing: ClientRequest; response: IncomingMessage }> {
  const outgoing = http.request('http://model.invalid/v1/chat/completions', { method: 'POST' })
  outgoing.on('error', () => {})
  outgoing.end(JSON.stringify(ASK))
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  return { outgoing, response }
}

interface ReadAnswer {
  readonly pieces: readonly string[]
  readonly times: readonly number[]
  readonly text: string
  readonly failure: unknown
}

async function readAll(response: Response): Promise<ReadAnswer> {
  const pieces: string[] = []
  const times: number[] = []
  let failure: unknown
  try {
    for await (const piece of response.body ?? []) {
      pieces.push(Buffer.from(piece).toString())
      times.push(performance.now())
    }
  } catch (thrown) {
    failure = thrown
  }
  return { pieces, times, text: pieces.join(''), failure }
}
