import type { Holding } from '../src/account/account.ts'
import type { Limits, Period, Unit } from '../src/account/limits.ts'
import type { Order, Renewal, Settlement } from '../src/store/store.ts'

/**
 * The rules as one would tell them, without sums that are kept: every question goes through the whole history.
 * Slow, and obviously right.
 */
export class Model {
  readonly #limits: Limits
  readonly #held = new Map<string, { holding: Holding; expires: number }>()
  readonly #settled = new Map<string, { at: number; tokens: number; money: number }>()
  /** What flowed into the buckets, in order. */
  readonly #flows: { at: number; requests: number; tokens: number }[] = []

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Whether an order is granted. */
  reserve({ id, demand, lease }: Order, now: number): boolean {
    if (this.#running(now).has(id)) return true
    if (!this.#hasRoom(demand, now)) return false
    this.#held.set(id, { holding: demand, expires: now + lease })
    this.#flows.push({ at: now, requests: 1, tokens: demand.rate })
    return true
  }

  settle({ id, used }: Settlement, now: number): void {
    if (this.#settled.has(id)) return
    const holding = this.#running(now).get(id)
    this.#held.delete(id)
    this.#settled.set(id, { at: now, ...used })
    this.#flows.push({ at: now, requests: 0, tokens: used.tokens - (holding?.rate ?? 0) })
  }

  renew({ held, lease }: Renewal, now: number): void {
    for (const [id, holding] of held) {
      if (!this.#settled.has(id)) this.#held.set(id, { holding, expires: now + lease })
    }
  }

  spent(per: Period, unit: Unit, now: number): number {
    const inPeriod = [...this.#settled.values()].filter(({ at }) => name(per, at) === name(per, now))
    return inPeriod.reduce((sum, one) => sum + one[unit], 0)
  }

  held(unit: Unit, now: number): number {
    return [...this.#running(now).values()].reduce((sum, one) => sum + one[unit], 0)
  }

  count(now: number): number {
    return this.#running(now).size
  }

  #running(now: number): Map<string, Holding> {
    const running = [...this.#held].filter(([, { expires }]) => expires > now)
    return new Map(running.map(([id, { holding }]) => [id, holding]))
  }

  #hasRoom(demand: Holding, now: number): boolean {
    const { requestsPerMinute = Infinity, tokensPerMinute = Infinity, streams = Infinity } = this.#limits
    const budgets = this.#limits.budgets ?? []
    return (
      this.#level('requests', requestsPerMinute, now) + 1 <= requestsPerMinute + 1e-6 &&
      this.#level('tokens', tokensPerMinute, now) + Math.min(demand.rate, tokensPerMinute) <=
        tokensPerMinute + 1e-6 &&
      this.count(now) < streams &&
      budgets.every(({ per, unit, limit }) => {
        const spent = this.spent(per, unit, now)
        return spent < limit && spent + this.held(unit, now) + demand[unit] <= limit
      })
    )
  }

  #level(kind: 'requests' | 'tokens', perMinute: number, now: number): number {
    if (perMinute === Infinity) return 0
    let level = 0
    let last = 0
    for (const flow of [...this.#flows, { at: now, requests: 0, tokens: 0 }]) {
      level = Math.max(0, level - ((flow.at - last) * perMinute) / 60_000)
      level = Math.max(0, level + flow[kind])
      last = flow.at
    }
    return level
  }
}

/** A period by the words of a calendar. */
function name(per: Period, at: number): string {
  const date = new Date(at)
  if (per === 'day') return date.toISOString().slice(0, 10)
  if (per === 'month') return date.toISOString().slice(0, 7)
  const sinceMonday = (date.getUTCDay() + 6) % 7
  return new Date(at - sinceMonday * 86_400_000).toISOString().slice(0, 10)
}
