import { randomUUID } from 'node:crypto'
import { HubError } from '@hydra/core'
import type { Admission, ClientIdentity, Demand, ExchangeReport, Limiter, UsedTokens } from '@hydra/gateway'
import type { Holding } from '../account/account.ts'
import { DOLLAR, isUnlimited, type Limits } from '../account/limits.ts'
import { MemoryStore } from '../store/memory-store.ts'
import type { Order, Store, Verdict } from '../store/store.ts'
import { dearestOf, type PricedModel } from './dearest.ts'
import { KnownSpending } from './known-spending.ts'
import { limitState } from './limit-state.ts'
import { refusalError } from './refusal-error.ts'
import { Settlements } from './settlements.ts'
import { StoreWatch } from './store-watch.ts'

/** What a call costs in dollars; undefined where the price is not known. */
export type PriceOf = (
  tokens: Pick<UsedTokens, 'input' | 'output' | 'usage'>,
  model: PricedModel,
) => number | undefined

/** How a team's use is counted. */
export interface TeamLimiterOptions {
  readonly store: Store
  /** For how many milliseconds the reservation of a replica that died counts (60000). */
  readonly lease?: number | undefined
  /** Among how many replicas the rates are shared while the store is gone (1). */
  readonly replicas?: number | undefined
  /** What keys with a budget may do while the store is gone; by default nothing. */
  readonly budgetsWithoutStore?: 'closed' | 'open' | undefined
  /** Tokens that are reserved for an answer whose client names no limit (4096). */
  readonly usualOutput?: number | undefined
  readonly priceOf?: PriceOf | undefined
  /** Told when the store is back, for what else waits for it. */
  readonly onBack?: (() => void) | undefined
  /** Told when the store goes, and when it is back. */
  readonly onProblem?: ((message: string) => void) | undefined
}

const LEASE = 60_000
const USUAL_OUTPUT = 4096

/** The most that one request can be booked with. */
const MAX_TOKENS = 1_000_000_000
const MAX_MONEY = 1_000_000 * DOLLAR

/** How long a client waits that could not be counted. */
const UNSURE_WAIT = 2

/** Counts what clients use in a store: reserved before a call, settled after it. */
export class TeamLimiter implements Limiter {
  readonly #options: TeamLimiterOptions
  readonly #store: Store
  readonly #watch: StoreWatch
  readonly #settlements: Settlements
  readonly #timer: NodeJS.Timeout
  readonly #held = new Map<string, Map<string, Holding>>()
  readonly #known = new KnownSpending()
  /** Counts the rates while the store is gone; the ids of what it counts. */
  readonly #local = new MemoryStore()
  readonly #localIds = new Set<string>()
  #priceOf: PriceOf | undefined

  constructor(options: TeamLimiterOptions) {
    this.#options = options
    this.#priceOf = options.priceOf
    this.#store = options.store
    this.#watch = new StoreWatch({
      store: options.store,
      onLost: (reason) => this.#tell(`${reason}; ${this.#lossRule()}`),
      onBack: () => void this.#back(),
    })
    this.#settlements = new Settlements(options.store, {
      onFailure: (thrown) => this.#watch.lost(thrown),
      onDropped: () =>
        this.#tell(`store ${options.store.name}: too much waits for it, the oldest is not booked`),
    })
    this.#timer = setInterval(() => void this.#renew(), (options.lease ?? LEASE) / 3)
    this.#timer.unref()
  }

  /** Whether the store answers. */
  get isSure(): boolean {
    return !this.#watch.isLost
  }

  /** Settlements that the store has not taken yet, and those that were given up because too many waited. */
  get waiting(): number {
    return this.#settlements.size
  }

  get dropped(): number {
    return this.#settlements.dropped
  }

  /** From now on calls cost this. */
  pricedBy(priceOf: PriceOf | undefined): void {
    this.#priceOf = priceOf
  }

  /** Something else than this found the store gone. */
  lost(thrown: unknown): void {
    this.#watch.lost(thrown)
  }

  async admit(client: ClientIdentity, demand: Demand): Promise<Admission> {
    const { limits = {} } = client
    const id = randomUUID()
    const settle = (used: UsedTokens, report: ExchangeReport): void =>
      this.#settle({ client, id, demand, used, report })
    if (isUnlimited(limits)) return { settle }
    const { fault, ...holding } = this.#demandOf(demand)
    if (fault !== undefined && limits.budgets?.some(({ unit }) => unit === 'money')) return { refusal: fault }
    const verdict = await this.#reserve(client, id, holding)
    if (verdict instanceof HubError) return { refusal: verdict, settle: () => this.#cancel(client.id, id) }
    const state = limitState(verdict, limits)
    if (verdict.refusal === undefined) return { limits: state, settle }
    return { refusal: refusalError(verdict.refusal), limits: state }
  }

  /** Waits for what is still to be written. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#settlements.flush()
    this.#watch.close()
  }

  async #reserve(
    { id: account, limits = {} }: ClientIdentity,
    id: string,
    demand: Holding,
  ): Promise<Verdict | HubError> {
    const lease = this.#options.lease ?? LEASE
    const order = { account, id, limits, demand, lease, known: this.#known.of(account) }
    if (this.#watch.isLost) return this.#reserveLocally(order)
    try {
      const verdict = await this.#store.reserve(order)
      this.#known.saw(account, verdict.account.spent)
      this.#holdIfGranted(order, verdict)
      return verdict
    } catch (thrown) {
      this.#watch.lost(thrown)
      return this.#reserveLocally(order)
    }
  }

  /** Without the store a budget cannot be looked at, and rates are shared evenly. */
  async #reserveLocally(order: Order): Promise<Verdict | HubError> {
    const { budgets = [] } = order.limits
    if (budgets.length > 0 && this.#options.budgetsWithoutStore !== 'open') {
      return new HubError('overloaded_error', 'the budget of this key cannot be checked at the moment', {
        status: 503,
        retryAfter: UNSURE_WAIT,
      })
    }
    const verdict = await this.#local.reserve({ ...order, limits: this.#share(order.limits) })
    if (verdict.refusal === undefined) this.#localIds.add(order.id)
    this.#holdIfGranted(order, verdict)
    return verdict
  }

  #share({ requestsPerMinute, tokensPerMinute, streams }: Limits): Limits {
    const { replicas = 1 } = this.#options
    const part = (limit: number | undefined): number | undefined =>
      limit === undefined ? undefined : Math.max(1, Math.floor(limit / replicas))
    return {
      requestsPerMinute: part(requestsPerMinute),
      tokensPerMinute: part(tokensPerMinute),
      streams: part(streams),
    }
  }

  /** The worst case, and why it cannot be told in money if that is so. */
  #demandOf(demand: Demand): Holding & { readonly fault: HubError | undefined } {
    const { input, answers = 1, maxOutput = this.#options.usualOutput ?? USUAL_OUTPUT } = demand
    const output = maxOutput * answers
    const dearest = dearestOf(demand, (model) => this.#priceOf?.({ input, output }, model))
    const isKnown = typeof dearest === 'number'
    return {
      rate: whole(input, MAX_TOKENS),
      tokens: whole(input + output, MAX_TOKENS),
      money: isKnown ? whole(dearest * DOLLAR, MAX_MONEY) : 0,
      fault: isKnown ? undefined : dearest,
    }
  }

  #settle({ client, id, demand, used, report }: Settling): void {
    const { limits = {} } = client
    const input = whole(used.input, MAX_TOKENS)
    const output = whole(used.output, MAX_TOKENS)
    const model = report.upstreamModel ?? demand.upstreamModel
    const priced = { model, upstream: report.upstream ?? demand.upstream }
    const dollars = report.cost?.usd ?? this.#priceOf?.(used, priced)
    const money = whole((dollars ?? 0) * DOLLAR, MAX_MONEY)
    const settlement = {
      account: client.id,
      id,
      limits,
      used: { tokens: input + output, money },
      entry: { model, agent: report.agent.name, input, output, money },
    }
    this.#held.get(client.id)?.delete(id)
    if (this.#localIds.delete(id)) {
      void this.#local.settle({ ...settlement, limits: this.#share(limits), entry: undefined })
    }
    this.#settlements.add(settlement, this.#known.booking(client.id, settlement.used))
  }

  /** A request that did not begin: what the store may have reserved for it is given back. */
  #cancel(account: string, id: string): void {
    this.#held.get(account)?.delete(id)
    this.#settlements.add({ account, id, limits: {}, used: { tokens: 0, money: 0 } })
  }

  /** Only what was granted is renewed: to renew what is not decided yet, or was refused, would reserve it unasked. */
  #holdIfGranted({ account, id, demand }: Order, { refusal }: Verdict): void {
    if (refusal !== undefined) return
    const held = this.#held.get(account) ?? new Map<string, Holding>()
    this.#held.set(account, held.set(id, demand))
  }

  async #renew(): Promise<void> {
    if (this.#watch.isLost) return
    const lease = this.#options.lease ?? LEASE
    for (const [account, held] of this.#held) {
      if (held.size === 0) this.#held.delete(account)
    }
    const renewals = [...this.#held].map(([account, held]) =>
      this.#store.renew({ account, lease, held: new Map(held) }),
    )
    await Promise.all(renewals).catch((thrown: unknown) => this.#watch.lost(thrown))
  }

  async #back(): Promise<void> {
    this.#tell(`store ${this.#store.name}: it is back`)
    this.#options.onBack?.()
    await this.#renew()
    await this.#settlements.flush()
  }

  #lossRule(): string {
    const budgets = this.#options.budgetsWithoutStore === 'open' ? 'are not looked at' : 'are closed'
    return `rates go on with a local share, budgets ${budgets}, revoked keys stay revoked`
  }

  #tell(message: string): void {
    this.#options.onProblem?.(message)
  }
}

interface Settling {
  readonly client: ClientIdentity
  readonly id: string
  readonly demand: Demand
  readonly used: UsedTokens
  readonly report: ExchangeReport
}

/** What an upstream says that it has used is its own word: sums must stay whole and exact, whatever that is. */
function whole(amount: number, most: number): number {
  return amount > 0 ? Math.min(most, Math.ceil(amount)) : 0
}
