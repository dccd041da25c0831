import type { HubUsage } from './usage.ts'

/** What an exchange costs at list price, in US dollars, or why that is not known. */
export type Cost = KnownCost | UnknownCost

interface KnownCost {
  readonly usd: number
  /** What the same tokens would have cost without a cache, less what they cost; below zero where more was written than read. */
  readonly savedByCache: number
  readonly unknown?: undefined
}

interface UnknownCost {
  readonly usd?: undefined
  readonly savedByCache?: undefined
  /** Why it is not known, in words. */
  readonly unknown: string
}

/** An exchange whose cost is asked for. */
export interface PricedCall {
  /** The upstream's name in the configuration. */
  readonly upstream: string
  /** Its address, which tells the provider. */
  readonly url: string
  /** The model by the upstream's name for it. */
  readonly model: string
  /** What the upstream counted; absent where it did not, as in an answer that was cut off. */
  readonly usage: HubUsage | undefined
  /** Whether the usage is our estimate. */
  readonly isEstimated: boolean
  /** The class of service that the request asks for, if it asks. */
  readonly tier?: string | undefined
}

/** Knows what exchanges cost; `@hydra/prices` has one. */
export interface Prices {
  cost(call: PricedCall): Cost
}
