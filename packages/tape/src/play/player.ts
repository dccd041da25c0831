import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Miss } from '../match/explain-miss.ts'
import { Matcher, type MatchOptions, type Searched } from '../match/matcher.ts'
import { isForLoopback } from './is-for-loopback.ts'
import { localRedaction } from './local-redaction.ts'
import type { PlayedRequest } from './played-request.ts'
import type { Rechunk } from './rechunk.ts'
import type { Recording } from './recording.ts'
import { refuse } from './refuse.ts'
import { sendAnswer } from './send-answer.ts'
import { answerSignOfLife } from './sign-of-life.ts'

/** How requests are matched, and how their answers are sent. */
export interface PlayerOptions extends MatchOptions {
  /** 1 keeps the recorded gaps, 10 is ten times as fast, 0 (the default) sends everything at once. */
  readonly speed?: number
  /** In which pieces answers are sent; by default as recorded. */
  readonly rechunk?: Rechunk
  /** Hears of each request as soon as it is known what answers it. */
  readonly onRequest?: (request: PlayedRequest) => void
}

/** Answers requests with recordings, and remembers what was asked. */
export class Player {
  readonly requests: PlayedRequest[] = []
  readonly #matcher: Matcher<Recording>
  readonly #options: PlayerOptions

  constructor(searched: Searched<Recording>, options: PlayerOptions) {
    this.#matcher = new Matcher(searched, { redact: localRedaction(), ...options })
    this.#options = options
  }

  get misses(): readonly Miss[] {
    return this.requests.map(({ miss }) => miss).filter((miss) => miss !== undefined)
  }

  get unconsumed(): readonly Recording[] {
    return this.#matcher.unused
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request)
    // Whoever left within the request has not asked for anything.
    if (body === undefined) return
    const arrival = performance.now()
    const { method = '', url: path = '' } = request
    if (!isForLoopback(request.headers)) {
      this.#miss(response, missed(method, path, 'it was sent to a name that is not of this machine'))
      return
    }
    const found = this.#matcher.find({ method, path, body })
    if ('explanation' in found) {
      if (!answerSignOfLife(method, path, response)) this.#miss(response, found)
      return
    }
    const { recording, by, difference } = found
    this.#tell({ method, path, exchange: recording.exchange, call: recording.call, by, difference })
    await this.#send(response, recording, { method, path, arrival })
  }

  async #send(
    response: ServerResponse,
    recording: Recording,
    { method, path, arrival }: Asked,
  ): Promise<void> {
    const { speed = 0, rechunk = 'as-recorded' } = this.#options
    try {
      await sendAnswer(response, recording, { speed, rechunk, arrival })
    } catch (error) {
      // A tape may hold a status or a header that cannot be sent.
      const reason = error instanceof Error ? error.message : String(error)
      this.#miss(response, missed(method, path, `exchange ${recording.exchange} cannot be played: ${reason}`))
    }
  }

  #miss(response: ServerResponse, miss: Miss): void {
    this.#tell({ method: miss.method, path: miss.path, miss })
    if (response.headersSent) response.destroy()
    else refuse(response, miss.path, miss.explanation)
  }

  #tell(request: PlayedRequest): void {
    this.requests.push(request)
    this.#options.onRequest?.(request)
  }
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly arrival: number
}

function missed(method: string, path: string, reason: string): Miss {
  const explanation = `no recording answers ${method} ${path}: ${reason}`
  return { method, path, explanation, nearest: undefined, difference: undefined }
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const pieces: Buffer[] = []
  try {
    for await (const piece of request) pieces.push(piece as Buffer)
    return Buffer.concat(pieces)
  } catch {
    return undefined
  }
}
