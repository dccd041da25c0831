import { type Account, fromRow } from '../account/account.ts'
import { type Limits, PERIODS } from '../account/limits.ts'
import { refusalOf } from '../account/refusal.ts'
import type { RedisClient } from './redis-client.ts'
import { RedisKept } from './redis-kept.ts'
import { RedisRecords } from './redis-records.ts'
import { RedisRests } from './redis-rests.ts'
import { LOOK, RENEW, RESERVE, SETTLE } from './scripts.ts'
import type { DayRange, Look, Order, Renewal, Settlement, Store, UsageRow, Verdict } from './store.ts'

/** What a shared store may be told. */
export interface RedisStoreOptions {
  /** What all names begin with; by default `hydra`. */
  readonly prefix?: string
  /** Takes the place of the server's clock, for tests. */
  readonly clock?: () => number
}

/** What a settlement answers with which the books of an account and a day begin. */
const NEW_PAGE = 2

/** How long it stays in the store that it could be written. */
const PING_KEPT = 60_000

const UNITS = ['tokens', 'money'] as const

/** Keeps the books in Valkey or Redis, for any number of replicas: each step is one script by the server's clock. */
export class RedisStore implements Store {
  readonly name: string
  readonly records: RedisRecords
  readonly rests: RedisRests
  readonly kept: RedisKept
  readonly #client: RedisClient
  readonly #prefix: string
  readonly #clock: (() => number) | undefined
  readonly #listed = new Set<string>()

  constructor(client: RedisClient, { prefix = 'hydra', clock }: RedisStoreOptions = {}) {
    this.name = client.address
    this.#client = client
    this.#prefix = prefix
    this.#clock = clock
    this.records = new RedisRecords(client, `{${prefix}:records}`)
    this.rests = new RedisRests(client, `{${prefix}:rests}`, clock)
    this.kept = new RedisKept(client, prefix, clock)
  }

  async reserve(order: Order): Promise<Verdict> {
    const { account, id, limits, demand, lease, known } = order
    const { requestsPerMinute, tokensPerMinute, streams, budgets = [] } = limits
    const reply = await this.#run(RESERVE, account, [
      id,
      lease,
      requestsPerMinute,
      tokensPerMinute,
      streams,
      demand.rate,
      demand.tokens,
      demand.money,
      ...PERIODS.flatMap((period) => {
        const seen = known?.[period]
        return [seen?.period ?? -1, seen?.tokens ?? 0, seen?.money ?? 0]
      }),
      ...budgets.flatMap(({ per, unit, limit }) => [
        PERIODS.indexOf(per) + 1,
        UNITS.indexOf(unit) + 1,
        limit,
      ]),
    ])
    const { isOk, ...look } = lookOf(reply)
    if (isOk) return look
    return { ...look, refusal: refusalOf(look.account, limits, { demand, now: look.now }) }
  }

  async settle({ account, id, limits, used, entry, confirmed = [] }: Settlement): Promise<void> {
    const { requestsPerMinute, tokensPerMinute } = limits
    const line =
      entry === undefined
        ? ['', 0, 0]
        : [JSON.stringify([entry.model, entry.agent]), entry.input, entry.output]
    const values = [id, requestsPerMinute, tokensPerMinute, used.tokens, used.money, ...line, ...confirmed]
    if (entry !== undefined && !this.#listed.has(account)) await this.#list(account)
    const isNewPage = (await this.#run(SETTLE, account, values)) === NEW_PAGE
    // The server may have lost the list since.
    if (isNewPage) await this.#list(account)
  }

  async renew({ account, lease, held }: Renewal): Promise<void> {
    const lines = [...held].flatMap(([id, { rate, tokens, money }]) => [id, rate, tokens, money])
    await this.#run(RENEW, account, [lease, ...lines])
  }

  async look(account: string, { requestsPerMinute, tokensPerMinute }: Limits): Promise<Look> {
    const { isOk: _, ...look } = lookOf(await this.#run(LOOK, account, [requestsPerMinute, tokensPerMinute]))
    return look
  }

  async usage({ from, to }: DayRange): Promise<UsageRow[]> {
    const accounts = await this.#client.call('SMEMBERS', [`${this.#prefix}:accounts`])
    const days = Array.from({ length: to - from + 1 }, (_, index) => from + index)
    const pages = (accounts as string[]).flatMap((account) => days.map((day) => this.#page(account, day)))
    return (await Promise.all(pages)).flat()
  }

  async ping(): Promise<void> {
    await this.#client.call('SET', [`${this.#prefix}:ping`, 1, 'PX', PING_KEPT])
  }

  async close(): Promise<void> {
    await this.#client.close()
  }

  /** Braces keep all that belongs to an account on one node of a cluster. */
  #keys(account: string): string[] {
    const base = `{${this.#prefix}:${account}}`
    return ['row', 'expiry', 'held', 'settled', 'day:'].map((name) => `${base}:${name}`)
  }

  #run(script: string, account: string, values: readonly (string | number | undefined)[]): Promise<unknown> {
    const texts = [this.#clock?.(), ...values].map((value) => (value === undefined ? '' : String(value)))
    return this.#client.script(script, this.#keys(account), texts)
  }

  /** So that the books can be found without a search over all names. */
  async #list(account: string): Promise<void> {
    await this.#client.call('SADD', [`${this.#prefix}:accounts`, account])
    this.#listed.add(account)
  }

  async #page(account: string, day: number): Promise<UsageRow[]> {
    const name = `${this.#keys(account)[4]}${day}`
    const fields = (await this.#client.call('HGETALL', [name])) as string[]
    const rows = new Map<string, Record<string, number>>()
    for (let index = 0; index + 1 < fields.length; index += 2) {
      const field = fields[index] as string
      const slash = field.lastIndexOf('/')
      const row = rows.get(field.slice(0, slash)) ?? {}
      row[field.slice(slash + 1)] = Number(fields[index + 1])
      rows.set(field.slice(0, slash), row)
    }
    return [...rows].map(([of, { requests = 0, input = 0, output = 0, money = 0 }]) => {
      const [model, agent] = JSON.parse(of) as [string, string]
      return { day, account, model, agent, requests, input, output, money }
    })
  }
}

function lookOf(reply: unknown): { isOk: boolean; account: Account; now: number } {
  const [ok, now = 0, ...row] = String(reply).split(' ').map(Number)
  return { isOk: ok === 1, now, account: fromRow(row) }
}
