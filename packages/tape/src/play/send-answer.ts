import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { playedHeaders } from './played-headers.ts'
import { rechunk } from './rechunk.ts'
import type { Recording } from './recording.ts'
import { clockFrom, type Pace } from './tape-clock.ts'

/** A reset discards what the other side has not taken from the wire, so it gets a moment to do that. */
const BEFORE_RESET = 20

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
  const { status = 200 } = recording.answer
  // After one of these a client would wait for another answer.
  if (status < 200) throw new Error(`expected the status of an answer, got ${status}`)
  response.sendDate = false
  response.writeHead(status, playedHeaders(recording))
  response.flushHeaders()
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
