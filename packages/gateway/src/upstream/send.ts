import { HubError, type UpstreamDialect } from '@hydra/core'
import type { Retries } from '../options.ts'
import { connectionError, isRetryable } from './failure.ts'
import type { Transport, UpstreamAnswer, UpstreamCall } from './transport.ts'

/** How much of an error's body is read. */
const MAX_ERROR_BODY = 64 * 1024

/** A call, and what it takes to understand its failure. */
export interface Sending {
  readonly call: UpstreamCall
  readonly dialect: UpstreamDialect
  /** The upstream's name, for messages. */
  readonly name: string
}

/** What trying again depends on. */
export interface SendContext {
  readonly transport: Transport
  readonly retries: Retries
  readonly now: () => number
  /** Told of each further try. */
  readonly onRetry: () => void
}

/** Calls an upstream until it answers with a good status, as often as it makes sense. */
export async function send(sending: Sending, context: SendContext): Promise<UpstreamAnswer> {
  const { retries, now } = context
  const deadline = now() + retries.budget
  for (let attempt = 0; ; attempt += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one try after the other
    const result = await tryOnce(sending, context.transport)
    if (!(result instanceof HubError)) return result
    const pause = pauseBefore(attempt, result, retries)
    sending.call.signal.throwIfAborted()
    if (attempt >= retries.times || !isRetryable(result) || now() + pause > deadline) throw result
    // oxlint-disable-next-line no-await-in-loop
    await sleep(pause, sending.call.signal)
    context.onRetry()
  }
}

async function tryOnce(
  { call, dialect, name }: Sending,
  transport: Transport,
): Promise<UpstreamAnswer | HubError> {
  let answer: UpstreamAnswer
  try {
    answer = await transport.open(call)
  } catch (thrown) {
    return connectionError(thrown, name)
  }
  if (answer.status >= 200 && answer.status < 300) return answer
  if (answer.status < 400) {
    answer.abort()
    return new HubError(
      'api_error',
      `upstream ${name}: answered with status ${answer.status}, which is not followed`,
      {
        status: 502,
        shouldRetry: false,
      },
    )
  }
  return dialect.decodeError({ status: answer.status, headers: answer.headers, body: await readText(answer) })
}

/** Reads the body of an error as far as it is of interest. */
export function readText(answer: UpstreamAnswer): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  return new Promise((resolve) => {
    answer.listen({
      data(bytes) {
        text += decoder.decode(bytes, { stream: true })
        if (text.length < MAX_ERROR_BODY) return
        resolve(text)
        answer.abort()
      },
      end: () => resolve(text),
      // What was read of a broken error is still the best explanation there is.
      error: () => resolve(text),
    })
  })
}

/** The upstream's own wish, else a random part of a pause that doubles: clients must not come back in step. */
function pauseBefore(attempt: number, error: HubError, { pause }: Retries): number {
  if (error.retryAfter !== undefined) return error.retryAfter * 1000
  return Math.random() * pause * 2 ** (attempt + 1)
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    function stop(): void {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', stop, { once: true })
  })
}
