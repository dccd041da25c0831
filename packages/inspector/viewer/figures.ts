import { bytesOf, spanOf } from '../src/summary/figures.ts'
import type { Tokens } from '../src/summary/session-summary.ts'
import type { ExchangeEntry } from '../src/page/page-data.ts'

/** Between a number and its unit no line is broken. */
const NBSP = '\u00a0'
const BEFORE_UNIT = /(?<=\d) /g

/** A span of microseconds as a person says it. */
export function span(microseconds: number): string {
  return spanOf(microseconds).replaceAll(BEFORE_UNIT, NBSP)
}

/** A number of bytes as a person says it. */
export function bytes(size: number): string {
  return bytesOf(size).replaceAll(BEFORE_UNIT, NBSP)
}

/** A number with its thousands apart. */
export function number(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** A large number in few characters. */
export function short(value: number): string {
  if (value < 1000) return number(value)
  return value < 1_000_000 ? `${thousands(value / 1000)}k` : `${(value / 1_000_000).toFixed(1)}M`
}

function thousands(value: number): string {
  return value < 100 ? value.toFixed(1) : String(Math.round(value))
}

/** An amount of money; what nobody knows is not guessed. */
export function money(usd: number | undefined): string {
  if (usd === undefined) return 'unknown'
  if (usd < 0) return `-${money(-usd)}`
  return usd === 0 ? '$0' : `$${usd < 0.01 ? usd.toPrecision(2) : usd.toFixed(usd < 1 ? 3 : 2)}`
}

/** The time of day. */
export function clock(milliseconds: number): string {
  return new Date(milliseconds).toLocaleTimeString('en-GB')
}

/** The day, as ISO 8601 writes it. */
export function day(milliseconds: number): string {
  return new Date(milliseconds).toLocaleDateString('sv-SE')
}

/** A count and what it counts. */
export function count(many: number, thing: string): string {
  return `${number(many)} ${thing}${many === 1 ? '' : 's'}`
}

/** Tokens, cached share and money of many exchanges together. */
export interface Totals {
  readonly calls: number
  readonly input: number
  readonly cached: number
  readonly output: number
  /** Undefined if the cost of one of them is not known. */
  readonly cost: number | undefined
  /** The cost of those of which it is known. */
  readonly known: number
  readonly saved: number
  readonly errors: number
  /** Exchanges whose tokens nobody counted. */
  readonly uncounted: number
}

/** Adds up exchanges. */
export function totals(entries: readonly ExchangeEntry[]): Totals {
  const over = entries.filter(({ state }) => state !== 'waiting' && state !== 'streaming')
  const counted = over.filter(({ tokens }) => tokens !== undefined)
  const sum = (value: (entry: ExchangeEntry) => number | undefined): number =>
    counted.reduce((total, entry) => total + (value(entry) ?? 0), 0)
  const cached = sum(({ tokens }) => tokens?.fromCache)
  const priced = over.filter(({ cost }) => cost !== undefined)
  const known = priced.reduce((total, { cost = 0 }) => total + cost, 0)
  const isWhole = priced.length > 0 && counted.every(({ cost }) => cost !== undefined)
  return {
    calls: entries.length,
    input: sum(({ tokens }) => tokens?.input) + sum(({ tokens }) => tokens?.toCache) + cached,
    cached,
    output: sum(({ tokens }) => tokens?.output),
    cost: isWhole ? known : undefined,
    known,
    saved: priced.reduce((total, { saved = 0 }) => total + saved, 0),
    errors: over.filter(({ state }) => state !== 'clean').length,
    uncounted: over.length - counted.length,
  }
}

/** What exchanges cost together: at least what is known of some of them. */
export function sumOfMoney({ cost, known }: Pick<Totals, 'cost' | 'known'>): string {
  return cost === undefined && known > 0 ? `≥ ${money(known)}` : money(cost)
}

/** All tokens of a prompt, wherever they came from. */
export function inputOf({ input = 0, fromCache = 0, toCache = 0 }: Tokens): number {
  return input + fromCache + toCache
}

/** The part of the input that came from a cache. */
export function cachedShare({ input, cached }: Pick<Totals, 'input' | 'cached'>): string {
  return input === 0 ? '–' : `${Math.round((cached / input) * 100)}${NBSP}%`
}
