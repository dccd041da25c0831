import { type Limits, type Period, PERIODS } from './limits.ts'
import { periodAt } from './period.ts'

/** What was spent in one period. */
export interface Spent {
  readonly period: number
  readonly tokens: number
  readonly money: number
}

/** What an account has used, as one short row: it does not grow with the number of requests. */
export interface Account {
  /** What was used of the rates; it flows off as time passes. */
  readonly requests: Level
  readonly tokens: Level
  readonly spent: Readonly<Record<Period, Spent>>
  /** What requests under way have reserved. */
  readonly held: Holding & { readonly count: number }
}

/** A leaking bucket: how much was in it, and when. */
export interface Level {
  readonly used: number
  readonly at: number
}

/** What one reservation holds. */
export interface Holding {
  /** Tokens that count for the rate. */
  readonly rate: number
  /** Tokens and money that count for the budgets. */
  readonly tokens: number
  readonly money: number
}

const NOTHING_SPENT: Spent = { period: 0, tokens: 0, money: 0 }

/** An account that nobody has used yet. */
export const NEW_ACCOUNT: Account = {
  requests: { used: 0, at: 0 },
  tokens: { used: 0, at: 0 },
  spent: { day: NOTHING_SPENT, week: NOTHING_SPENT, month: NOTHING_SPENT },
  held: { count: 0, rate: 0, tokens: 0, money: 0 },
}

const MINUTE = 60_000

/** An account as it is now: rates have flowed off, and a period that is over begins at nothing. */
export function accountAt(account: Account, limits: Limits, now: number): Account {
  return {
    requests: flowedOff(account.requests, limits.requestsPerMinute, now),
    tokens: flowedOff(account.tokens, limits.tokensPerMinute, now),
    spent: eachPeriod((period) => currentSpent(account.spent[period], periodAt(period, now))),
    held: account.held,
  }
}

function flowedOff({ used, at }: Level, perMinute: number | undefined, now: number): Level {
  if (perMinute === undefined) return { used: 0, at: now }
  // A clock that was set back must not fill the bucket.
  const elapsed = Math.max(0, now - at)
  return { used: Math.max(0, used - (elapsed * perMinute) / MINUTE), at: now }
}

/**
 * A clock that was set back, or that of a server which took over, may be in the period before: what was spent must not
 * be forgotten for it.
 */
function currentSpent(spent: Spent, period: number): Spent {
  const isCurrent = spent.period === period || spent.period === period + 1
  return isCurrent ? spent : { period, tokens: 0, money: 0 }
}

/** A period in which more was spent. */
export function plus(spent: Spent, { tokens, money }: Pick<Holding, 'tokens' | 'money'>): Spent {
  return { ...spent, tokens: spent.tokens + tokens, money: spent.money + money }
}

/** One value for each period. */
export function eachPeriod<Value>(value: (period: Period) => Value): Record<Period, Value> {
  return { day: value('day'), week: value('week'), month: value('month') }
}

/** An account as a row of numbers, in the order in which the script of the shared store reads it. */
export function toRow({ requests, tokens, spent, held }: Account): number[] {
  return [
    requests.used,
    requests.at,
    tokens.used,
    tokens.at,
    ...PERIODS.flatMap((period) => [spent[period].period, spent[period].tokens, spent[period].money]),
    held.count,
    held.rate,
    held.tokens,
    held.money,
  ]
}

/** The account that a row of numbers stands for. */
export function fromRow(row: readonly number[]): Account {
  const at = (index: number): number => row[index] ?? 0
  const spentAt = (index: number): Spent => ({
    period: at(index),
    tokens: at(index + 1),
    money: at(index + 2),
  })
  return {
    requests: { used: at(0), at: at(1) },
    tokens: { used: at(2), at: at(3) },
    spent: { day: spentAt(4), week: spentAt(7), month: spentAt(10) },
    held: { count: at(13), rate: at(14), tokens: at(15), money: at(16) },
  }
}
