import { type Account, accountAt, type Holding, NEW_ACCOUNT } from '../account/account.ts'
import type { Limits } from '../account/limits.ts'
import { periodAt } from '../account/period.ts'
import { type AccountRows, renew, reserve, settle, withoutExpired } from './ledger.ts'
import type {
  DayRange,
  Look,
  Order,
  Records,
  Renewal,
  Rests,
  Settlement,
  Store,
  UsageRow,
  Verdict,
} from './store.ts'

/** How long it is remembered that a reservation was settled: longer than anybody tries to settle it again. */
export const SETTLED_KEPT = 3_600_000

/** Keeps the books of one process; they end with it. */
export class MemoryStore implements Store {
  readonly name: string = 'memory'
  readonly records: MemoryRecords = new MemoryRecords()
  readonly rests: Rests
  readonly #accounts = new Map<string, MemoryRows>()
  readonly #usage = new Map<string, UsageRow>()
  readonly #clock: () => number

  constructor(clock: () => number = Date.now) {
    this.#clock = clock
    this.rests = new MemoryRests(clock)
  }

  async reserve(order: Order): Promise<Verdict> {
    return reserve(this.#rows(order.account), order, this.#clock())
  }

  async settle(settlement: Settlement): Promise<void> {
    const now = this.#clock()
    if (settle(this.#rows(settlement.account), settlement, now)) this.#write(settlement, now)
  }

  async renew(renewal: Renewal): Promise<void> {
    renew(this.#rows(renewal.account), renewal, this.#clock())
  }

  async look(account: string, limits: Limits): Promise<Look> {
    const now = this.#clock()
    const rows = this.#rows(account)
    rows.write(withoutExpired(rows, now))
    return { account: accountAt(rows.read(), limits, now), now }
  }

  async usage({ from, to }: DayRange): Promise<UsageRow[]> {
    return [...this.#usage.values()].filter(({ day }) => day >= from && day <= to)
  }

  async ping(): Promise<void> {}

  async close(): Promise<void> {}

  #rows(account: string): MemoryRows {
    const known = this.#accounts.get(account)
    if (known !== undefined) return known
    const rows = new MemoryRows()
    this.#accounts.set(account, rows)
    return rows
  }

  #write({ account, entry }: Settlement, now: number): void {
    if (entry === undefined) return
    const day = periodAt('day', now)
    const key = JSON.stringify([day, account, entry.model, entry.agent])
    const row = this.#usage.get(key) ?? { ...entry, day, account, requests: 0, input: 0, output: 0, money: 0 }
    this.#usage.set(key, {
      ...row,
      requests: row.requests + 1,
      input: row.input + entry.input,
      output: row.output + entry.output,
      money: row.money + entry.money,
    })
  }
}

interface Held {
  readonly holding: Holding
  readonly expires: number
}

class MemoryRows implements AccountRows {
  #account: Account = NEW_ACCOUNT
  /** What was held or renewed last comes last; leases are of one length, so the first one expires first. */
  readonly #held = new Map<string, Held>()
  readonly #settled = new Map<string, number>()

  read(): Account {
    return this.#account
  }

  write(account: Account): void {
    this.#account = account
  }

  takeExpired(now: number): Holding[] {
    const expired: Holding[] = []
    for (const [id, { holding, expires }] of this.#held) {
      if (expires > now) break
      this.#held.delete(id)
      expired.push(holding)
    }
    return expired
  }

  hold(id: string, holding: Holding, expires: number): void {
    this.#held.delete(id)
    this.#held.set(id, { holding, expires })
  }

  release(id: string): Holding | undefined {
    const held = this.#held.get(id)
    this.#held.delete(id)
    return held?.holding
  }

  has(id: string): boolean {
    return this.#held.has(id)
  }

  isSettled(id: string): boolean {
    return this.#settled.has(id)
  }

  markSettled(id: string, now: number): void {
    for (const [old, at] of this.#settled) {
      if (at > now - SETTLED_KEPT) break
      this.#settled.delete(old)
    }
    this.#settled.set(id, now)
  }

  unmarkSettled(ids: readonly string[]): void {
    for (const id of ids) this.#settled.delete(id)
  }
}

class MemoryRecords implements Records {
  readonly #texts = new Map<string, string>()
  #version = 0

  async get(id: string): Promise<string | undefined> {
    return this.#texts.get(id)
  }

  async put(id: string, text: string): Promise<void> {
    this.#texts.set(id, text)
    this.#version += 1
  }

  async all(): Promise<ReadonlyMap<string, string>> {
    return new Map(this.#texts)
  }

  async version(): Promise<number> {
    return this.#version
  }
}

class MemoryRests implements Rests {
  readonly #until = new Map<string, number>()
  readonly #clock: () => number

  constructor(clock: () => number) {
    this.#clock = clock
  }

  async put(name: string, milliseconds: number): Promise<void> {
    this.#until.set(name, Math.max(this.#until.get(name) ?? 0, this.#clock() + milliseconds))
  }

  async end(name: string): Promise<void> {
    this.#until.delete(name)
  }

  async all(): Promise<ReadonlyMap<string, number>> {
    const now = this.#clock()
    for (const [name, until] of this.#until) if (until <= now) this.#until.delete(name)
    return new Map([...this.#until].map(([name, until]) => [name, until - now]))
  }
}
