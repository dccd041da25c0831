import type { ReplayedAnswer, TapedAnswer } from '@hydra/tape'

/** What came out of the translator in memory, as if it had been recorded. */
export function asTapedAnswer({ status, bytes, contentType, ended }: ReplayedAnswer): TapedAnswer {
  return {
    status,
    headers: { 'content-type': contentType },
    at: 0,
    chunks: [{ at: 0, bytes }],
    // An error ends an answer as much as anything does.
    ended: ended === 'open' ? 'aborted' : 'clean',
  }
}
