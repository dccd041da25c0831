import type { TapedAnswer } from '@hydra/tape'
import type { ReplayedAnswer } from '../replay/replay-exchange.ts'

/** What came out of the translator in memory, as if it had been recorded. */
export function asTapedAnswer({ status, bytes, isStream, ended }: ReplayedAnswer): TapedAnswer {
  return {
    status,
    headers: { 'content-type': isStream ? 'text/event-stream; charset=utf-8' : 'application/json' },
    at: 0,
    chunks: [{ at: 0, bytes }],
    // An error ends an answer as much as anything does.
    ended: ended === 'open' ? 'aborted' : 'clean',
  }
}
