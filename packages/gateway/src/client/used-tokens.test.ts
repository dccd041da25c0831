import { usageOf } from '@hydra/core'
import { expect, test } from 'vitest'
import { usedTokens } from './used-tokens.ts'

const summary = {
  toolCalls: 0,
  usage: undefined,
  stopReason: undefined,
  isEstimated: false,
  outputEstimate: 7,
}

test('what the upstream said counts, with what its cache had', () => {
  const usage = usageOf({ input_tokens: 3, cache_read_input_tokens: 40, output_tokens: 5 })
  const report = { outcome: 'answered', usage, upstream: 'up' } as const
  expect(usedTokens(report, summary, 100)).toEqual({ input: 43, output: 5, usage })
})

test('a client that left is settled for its prompt and what was produced', () => {
  const report = { outcome: 'aborted', usage: undefined, upstream: 'up' } as const
  expect(usedTokens(report, summary, 100)).toEqual({ input: 100, output: 7 })
  expect(usedTokens(report, undefined, 100)).toEqual({ input: 100, output: 0 })
})

test('what never reached an upstream, or failed there before its first word, costs nothing', () => {
  const nothing = { input: 0, output: 0 }
  expect(usedTokens({ outcome: 'aborted', usage: undefined, upstream: undefined }, summary, 9)).toEqual(
    nothing,
  )
  const failed = { outcome: 'failed', usage: undefined, upstream: 'up' } as const
  expect(usedTokens(failed, { ...summary, outputEstimate: 0 }, 9)).toEqual(nothing)
  expect(usedTokens(failed, summary, 9)).toEqual({ input: 9, output: 7 })
})
