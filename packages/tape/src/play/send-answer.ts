import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { rechunk, type Rechunk } from './rechunk.ts'
import type { Recording } from './recording.ts'

/** How an answer is sent. */
export interface Pace {
  /** 1 keeps the recorded gaps, 10 is ten times as fast, 0 sends everything at once. */
  readonly speed: number
  readonly rechunk: Rechunk
  /** When the request had come, by the clock of `performance`. */
  readonly arrival: number
}

/** A reset discards what the other side has not taken from the wire, so it gets a moment to do that. */
const BEFORE_RESET = 20

/** What a server says about its connection and not about its answer; those of the tape belong to another one. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'trailer',
])

/** Sends a recorded answer; settles when it is sent, or when the other side has gone. */
export async function sendAnswer(response: ServerResponse, recording: Recording, pace: Pace): Promise<void> {
  const { request, answer, ending } = recording
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  response.on('error', () => {})
  const until = clockFrom(request.at, pace, gone.signal)
  if (answer.status !== undefined) {
    await until(answer.at ?? request.at)
    sendHead(response, recording)
    for (const { at, bytes } of rechunk(answer.chunks, pace.rechunk)) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, each at its time
      await until(at)
      // oxlint-disable-next-line no-await-in-loop -- the next piece waits until the system has taken this one
      if (!gone.signal.aborted) await written(response, bytes)
    }
  }
  if (gone.signal.aborted) return
  if (ending === 'clean') response.end()
  if (ending === 'reset') {
    await sleep(BEFORE_RESET, undefined, { signal: gone.signal }).catch(() => {})
    response.socket?.resetAndDestroy()
  }
}

function sendHead(response: ServerResponse, recording: Recording): void {
  const { status = 200, headers } = recording.answer
  // After one of these a client would wait for another answer.
  if (status < 200) throw new Error(`expected the status of an answer, got ${status}`)
  response.sendDate = false
  response.writeHead(status, playedHeaders(headers, recording))
  response.flushHeaders()
}

function playedHeaders(
  headers: Readonly<Record<string, string>>,
  recording: Recording,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => {
      if (name === 'content-length') return isTrueLength(Number(headers[name]), recording)
      return !OF_THE_CONNECTION.has(name)
    }),
  )
}

/** A length that is not that of the recorded bytes would cut off the answer, or leave its reader waiting. */
function isTrueLength(length: number, { request, answer, ending }: Recording): boolean {
  if (request.method === 'HEAD' || ending !== 'clean') return true
  return length === answer.chunks.reduce((sum, { bytes }) => sum + bytes.length, 0)
}

function written(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('close', done)
      resolve()
    }
    response.on('close', done)
    response.write(bytes, done)
  })
}

/** Waits for moments of the tape. Each is counted from the arrival of the request, so that waits do not add up. */
function clockFrom(
  start: number,
  { speed, arrival }: Pace,
  signal: AbortSignal,
): (at: number) => Promise<void> {
  return async (at) => {
    if (speed === 0) {
      // Those who read and those who leave get their turn between two pieces.
      await nextTurn()
      return
    }
    const wait = arrival + (at - start) / 1000 / speed - performance.now()
    if (wait > 0) await sleep(wait, undefined, { signal }).catch(() => {})
  }
}
