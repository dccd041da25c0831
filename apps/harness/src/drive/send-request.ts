import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Answer } from '../compare/normalize-answer.ts'
import type { ExpectedExchange, Leave } from './expected-exchange.ts'

/** Where and how requests are sent. */
export interface Sending {
  readonly target: URL
  /** Headers that are not on a tape, such as the client's key. */
  readonly headers: Readonly<Record<string, string>>
  /** How long the other side may be silent, in milliseconds. */
  readonly patience: number
  readonly signal: AbortSignal
}

/** What came back. */
export interface ReceivedAnswer extends Answer {
  /** Why the connection ended, if not by itself. */
  readonly failure: string | undefined
}

/** How long a client that left without an answer is imitated at most: its person may have waited for minutes. */
const MAX_WAIT = 2000

/** What belongs to the recorded connection, or would make the other side compress its answer. */
const NOT_REPEATED: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
])

/** Sends a recorded request and reads the answer, as far as the recorded client did. */
export function sendRequest(exchange: ExpectedExchange, sending: Sending): Promise<ReceivedAnswer> {
  const { request, leave } = exchange
  const { target, headers, patience, signal } = sending
  return new Promise((resolve) => {
    const send = target.protocol === 'https:' ? requestHttps : requestHttp
    const outgoing = send(urlOf(target, request.path), {
      method: request.method,
      headers: { ...repeatedHeaders(request.headers), ...headers, 'content-length': request.body.length },
      // A connection of its own for each: one that is cut must not take another one with it.
      agent: false,
      timeout: patience,
      signal,
    })
    const reading = new Reading(leave, (failure) => {
      clearTimeout(impatience)
      outgoing.destroy()
      resolve(reading.answer(failure))
    })
    const impatience = leaveWithoutAnswer(leave, () => reading.over('left'))
    outgoing.on('response', (response) => reading.read(response))
    outgoing.on('timeout', () => reading.over(`nothing came for ${patience / 1000} seconds`, 'timeout'))
    outgoing.on('error', (error) => reading.over(error.message))
    outgoing.end(request.body)
  })
}

function leaveWithoutAnswer(leave: Leave | undefined, act: () => void): NodeJS.Timeout | undefined {
  if (leave === undefined || leave.bytes !== undefined) return undefined
  return setTimeout(act, Math.min(leave.after, MAX_WAIT))
}

function urlOf(target: URL, path: string): URL {
  return new URL(target.pathname.replace(/\/$/, '') + path, target.origin)
}

/** The recorded headers without those of the recorded connection. */
export function repeatedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_REPEATED.has(name)))
}

/** Reads one answer until it ends, fails, or the client leaves. */
class Reading {
  readonly #leave: Leave | undefined
  readonly #done: (failure: string | undefined) => void
  readonly #chunks: { bytes: Uint8Array }[] = []
  #response: IncomingMessage | undefined
  #ended: Answer['ended'] | undefined
  #bytes = 0

  constructor(leave: Leave | undefined, done: (failure: string | undefined) => void) {
    this.#leave = leave
    this.#done = done
  }

  read(response: IncomingMessage): void {
    this.#response = response
    response.on('data', (bytes: Buffer) => {
      this.#chunks.push({ bytes })
      this.#bytes += bytes.length
      this.#leaveIfRead()
    })
    response.on('end', () => this.over(undefined, 'clean'))
    response.on('error', (error) => this.over(error.message))
    response.on('close', () => this.over('the connection was closed within the answer'))
    this.#leaveIfRead()
  }

  /** Only the first end counts: what comes after it is its consequence. */
  over(failure: string | undefined, ended: Answer['ended'] = 'aborted'): void {
    if (this.#ended !== undefined) return
    this.#ended = ended
    this.#done(failure)
  }

  answer(failure: string | undefined): ReceivedAnswer {
    const { statusCode, headers = {} } = this.#response ?? {}
    const single = Object.entries(headers).map(([name, value]) => [name, String(value)])
    return {
      status: statusCode,
      headers: Object.fromEntries(single) as Record<string, string>,
      chunks: this.#chunks,
      ended: this.#ended ?? 'open',
      failure,
    }
  }

  #leaveIfRead(): void {
    const limit = this.#leave?.bytes
    if (limit !== undefined && this.#bytes >= limit) this.over('left')
  }
}
