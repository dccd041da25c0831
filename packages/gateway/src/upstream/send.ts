import { type HubError, toHubError } from '@hydra/core'
import type { Retries } from '../options.ts'
import { isRetryable } from './failure.ts'

/** What trying again depends on. */
export interface SendContext {
  readonly retries: Retries
  readonly now: () => number
  /** Waits; rejects when the answer is no longer waited for. */
  readonly sleep: (milliseconds: number) => Promise<void>
  /** Whether this failure may be tried again at all. */
  readonly mayRetry?: (error: HubError) => boolean
  /** Told of each failure: what failed, and after how many milliseconds it is tried again, if it is. */
  readonly onFailure?: (error: HubError, pause: number | undefined) => void
  /** Told of each further try: what failed, and how many milliseconds it waited. */
  readonly onRetry: (error: HubError, pause: number) => void
  /** A number from 0 to 1. */
  readonly random?: () => number
}

/** Tries a call until it works, as often as it makes sense. Nothing may have reached the client before it does. */
export async function send<Result>(call: () => Promise<Result>, context: SendContext): Promise<Result> {
  const { retries, now, mayRetry = isRetryable, random = Math.random } = context
  const deadline = now() + retries.budget
  for (let attempt = 0; ; attempt += 1) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one try after the other
      return await call()
    } catch (thrown) {
      const error = toHubError(thrown)
      const pause =
        error.retryAfter === undefined ? jitter(attempt, retries, random) : error.retryAfter * 1000
      const isLast = attempt >= retries.times || !mayRetry(error) || now() + pause > deadline
      context.onFailure?.(error, isLast ? undefined : pause)
      if (isLast) throw error
      // oxlint-disable-next-line no-await-in-loop
      await context.sleep(pause)
      context.onRetry(error, pause)
    }
  }
}

/** A random part of a pause that doubles: clients that failed together must not come back together. */
function jitter(attempt: number, { pause }: Retries, random: () => number): number {
  return random() * pause * 2 ** attempt
}
