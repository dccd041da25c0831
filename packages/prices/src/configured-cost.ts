import type { CountedTokens } from './counted-tokens.ts'

/** The prices of a model, in US dollars per million tokens. */
export interface ModelPrices {
  readonly input: number
  readonly output: number
  /** Read from a cache; by default as `input`. */
  readonly cacheRead?: number | undefined
  /** Written to a cache; by default as `input`. */
  readonly cacheWrite?: number | undefined
  /** Written to a cache that is kept for an hour; by default as `cacheWrite`. */
  readonly cacheWrite1h?: number | undefined
  /** The part of the output that is reasoning; by default as `output`. */
  readonly reasoning?: number | undefined
}

const MILLION = 1_000_000

/** What tokens cost at prices of the user's own, in US dollars. */
export function configuredCost(tokens: CountedTokens, prices: ModelPrices): number {
  const { input, output, cacheRead = input, cacheWrite = input } = prices
  const { cacheWrite1h = cacheWrite, reasoning = output } = prices
  const sum =
    tokens.plain * input +
    tokens.cacheRead * cacheRead +
    tokens.cacheWrite * cacheWrite +
    tokens.cacheWrite1h * cacheWrite1h +
    (tokens.output - tokens.reasoning) * output +
    tokens.reasoning * reasoning
  return sum / MILLION
}
