import type { ClientDialect, StreamForm } from '@hydra/core'
import type { ExchangeReporter } from './exchange-reporter.ts'
import type { Responder } from './exchange.ts'

/** What the head of a stream is made of, and when it is due. */
export interface EarlyHeadOptions<Native> {
  readonly client: ClientDialect
  readonly stream: StreamForm
  readonly reply: Responder
  readonly reporter: ExchangeReporter<Native>
  /** When the head is due, by the watchdog's clock. */
  readonly due: number
  /** The interval of keep-alives, in milliseconds. */
  readonly keepAlive: number
}

/**
 * Sends the head of a stream before its first event, to clients with a short header timeout, and then keep-alives.
 * Retries and fallbacks remain possible: nothing of an answer was sent.
 */
export class EarlyHead<Native> {
  readonly #options: EarlyHeadOptions<Native>
  /** When something must be sent next. */
  deadline: number
  isSent = false

  constructor(options: EarlyHeadOptions<Native>) {
    this.#options = options
    this.deadline = options.due
  }

  /** Sends what is due: the head, or a keep-alive. */
  expired(now: number): void {
    const { stream, reply, reporter, client, keepAlive } = this.#options
    if (!this.isSent) {
      this.isSent = true
      reporter.began(200)
      reply.head(200, streamHeaders(stream.contentType, client, reporter))
    }
    if (stream.keepAlive === undefined) {
      // Without a byte of the body some servers would hold the head back.
      this.deadline = Infinity
      reply.write('')
      return
    }
    this.deadline = now + keepAlive
    reply.write(stream.keepAlive)
  }

  /** The answer has begun: its own stream sends keep-alives from now on. */
  stop(): void {
    this.deadline = Infinity
  }
}

/** The headers of a stream. */
export function streamHeaders(
  contentType: string,
  client: ClientDialect,
  reporter: Pick<ExchangeReporter<never>, 'id' | 'limitHeaders'>,
): Record<string, string> {
  return {
    'content-type': contentType,
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    ...client.answerHeaders(reporter.id),
    ...reporter.limitHeaders,
  }
}
