import { once } from 'node:events'
import { playedHeaders } from './played-headers.ts'
import { rechunk } from './rechunk.ts'
import type { Recording } from './recording.ts'
import { clockFrom, type Pace } from './tape-clock.ts'

/** A recorded answer as `fetch` knows answers. */
export interface WebAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  /** The recorded pieces; null where the status allows no body. */
  readonly body: ReadableStream<Uint8Array> | null
}

/** After these there is no body, and a `Response` refuses one. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304])

/** The statuses that a `Response` can have. */
const [MIN_STATUS, MAX_STATUS] = [200, 599]

/**
 * Plays a recorded answer as a response of `fetch`. Rejects as `fetch` does where there was no answer: at once if the
 * connection broke, and when the client gives up if nothing came.
 */
export async function webAnswer(recording: Recording, pace: Pace, signal: AbortSignal): Promise<WebAnswer> {
  const { request, answer, ending } = recording
  const until = clockFrom(request.at, pace, signal)
  const { status } = answer
  if (status === undefined) {
    if (ending === 'silence' && !signal.aborted) await once(signal, 'abort')
    signal.throwIfAborted()
    throw new TypeError('fetch failed', { cause: brokenConnection() })
  }
  if (status < MIN_STATUS || status > MAX_STATUS) {
    throw new RangeError(`expected the status of an answer, got ${status}`)
  }
  await until(answer.at ?? request.at)
  signal.throwIfAborted()
  const headers = playedHeaders(recording)
  const isEmpty = WITHOUT_BODY.has(status) || request.method === 'HEAD'
  return { status, headers, body: isEmpty ? null : bodyOf(recording, { pace, until, signal }) }
}

interface Playing {
  readonly pace: Pace
  readonly until: (at: number) => Promise<void>
  readonly signal: AbortSignal
}

/** One piece per read. An answer that broke off fails its reader, and one that fell silent waits until the reader leaves. */
function bodyOf({ answer, ending }: Recording, { pace, until, signal }: Playing): ReadableStream<Uint8Array> {
  const pieces = rechunk(answer.chunks, pace.rechunk).values()
  const settled = new AbortController()
  const settle = (): void => settled.abort()
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const giveUp = (): void => controller.error(signal.reason)
        signal.addEventListener('abort', giveUp, { once: true, signal: settled.signal })
      },
      async pull(controller) {
        const { value: piece } = pieces.next()
        if (piece !== undefined) {
          await until(piece.at)
          if (!signal.aborted) controller.enqueue(Uint8Array.from(piece.bytes))
          return
        }
        if (ending === 'silence') {
          await left(signal)
          return
        }
        settle()
        if (ending === 'clean') controller.close()
        else controller.error(new TypeError('terminated', { cause: brokenConnection() }))
      },
      cancel: settle,
    },
    { highWaterMark: 0 },
  )
}

async function left(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}

function brokenConnection(): Error {
  return Object.assign(new Error('the connection was reset, as it was when the tape was recorded'), {
    code: 'ECONNRESET',
  })
}
