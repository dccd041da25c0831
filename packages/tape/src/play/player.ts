import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WireRequest } from '../match/canonical-request.ts'
import type { Miss } from '../match/explain-miss.ts'
import { type Answers, type AnswersOptions, missFor } from './answers.ts'
import { isForLoopback } from './is-for-loopback.ts'
import type { Rechunk } from './rechunk.ts'
import type { Recording } from './recording.ts'
import { refusalOf } from './refusal.ts'
import { sendAnswer } from './send-answer.ts'
import { answerSignOfLife } from './sign-of-life.ts'

/** How requests are matched, and how their answers are sent. */
export interface PlayerOptions extends Omit<AnswersOptions, 'leg'> {
  /** 1 keeps the recorded gaps, 10 is ten times as fast, 0 (the default) sends everything at once. */
  readonly speed?: number
  /** In which pieces answers are sent; by default as recorded. */
  readonly rechunk?: Rechunk
}

/** Sends the answers of a tape over sockets. */
export class Player {
  readonly #answers: Answers
  readonly #options: PlayerOptions

  constructor(answers: Answers, options: PlayerOptions) {
    this.#answers = answers
    this.#options = options
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request)
    // A client that left within the request has not asked for anything.
    if (body === undefined) return
    const arrival = performance.now()
    const { method = '', url: path = '' } = request
    if (!isForLoopback(request.headers)) {
      this.#miss(response, missFor({ method, path }, 'it was sent to a name that is not of this machine'))
      return
    }
    const found = this.#answers.find({ method, path, body })
    if ('explanation' in found) {
      if (!answerSignOfLife(method, path, response)) this.#miss(response, found)
      return
    }
    await this.#send(response, found, { method, path, arrival })
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
      this.#miss(
        response,
        missFor({ method, path }, `exchange ${recording.exchange} cannot be played: ${reason}`),
      )
    }
  }

  #miss(response: ServerResponse, miss: Miss): void {
    this.#answers.miss(miss)
    if (response.headersSent) {
      response.destroy()
      return
    }
    const { status, headers, body } = refusalOf(miss, response.req.headers)
    response.writeHead(status, { ...headers, 'content-length': body.length })
    response.end(body)
  }
}

interface Asked extends Pick<WireRequest, 'method' | 'path'> {
  readonly arrival: number
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
