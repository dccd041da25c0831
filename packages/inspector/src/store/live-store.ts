import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { RecordedClient, TrafficRecorder } from '@hydra/gateway'
import { type ExchangeListener, LiveExchange } from './live-exchange.ts'
import { RoomPool } from './room-pool.ts'

/** How much of the traffic is kept. */
export interface StoreLimits {
  /** How many exchanges. */
  readonly exchanges: number
  /** How many bytes of all of them together. */
  readonly bytes: number
}

/** The defaults. */
export const DEFAULT_LIMITS: StoreLimits = { exchanges: 10_000, bytes: 128 * 1024 * 1024 }

/** Of one exchange at most this part of all bytes is kept. */
const LARGEST_SHARE = 1 / 4

/** The exchanges of one session of a client, as far as they are still kept. */
export interface LiveSession {
  readonly key: string
  readonly client: RecordedClient
  /** Microseconds since the epoch. */
  readonly started: number
  readonly exchanges: LiveExchange[]
  /** How many exchanges it ever had. */
  count: number
}

/** Who hears what happens in a store. */
export interface StoreListener {
  began(exchange: LiveExchange, session: LiveSession): void
  changed(exchange: LiveExchange): void
  gone(exchange: LiveExchange, session: LiveSession): void
}

/** The exchanges of a running gateway, kept in memory within bounds: the oldest that are over go first. */
export class LiveStore implements TrafficRecorder, ExchangeListener {
  readonly #limits: StoreLimits
  readonly #now: () => number
  readonly #sessions = new Map<string, LiveSession>()
  /** In the order in which they began. */
  readonly #exchanges = new Map<LiveExchange, LiveSession>()
  readonly #pool = new RoomPool(() => this.#makeRoom())
  #count = 0
  listener: StoreListener | undefined

  constructor(limits: Partial<StoreLimits> = {}, now: () => number = microseconds) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits }
    this.#now = now
  }

  /** What is held in memory, in bytes. */
  get bytes(): number {
    return this.#pool.held
  }

  get size(): number {
    return this.#exchanges.size
  }

  get sessions(): Iterable<LiveSession> {
    return this.#sessions.values()
  }

  /** An exchange begins, or one that began elsewhere is copied here. */
  begin(client: RecordedClient, known?: { readonly id: string; readonly begun: number }): LiveExchange {
    const session = this.#sessionOf(client)
    this.#count += 1
    session.count += 1
    const room = { pool: this.#pool, limit: this.#limits.bytes * LARGEST_SHARE }
    const place = { id: known?.id ?? `live-${this.#count}`, begun: known?.begun, number: session.count, room }
    const exchange = new LiveExchange(place, this.#now, this)
    session.exchanges.push(exchange)
    this.#exchanges.set(exchange, session)
    this.#makeRoom()
    this.listener?.began(exchange, session)
    return exchange
  }

  changed(exchange: LiveExchange): void {
    this.listener?.changed(exchange)
  }

  sessionOf(exchange: LiveExchange): LiveSession | undefined {
    return this.#exchanges.get(exchange)
  }

  #sessionOf(client: RecordedClient): LiveSession {
    const name = nameOf(client)
    const known = this.#sessions.get(name)
    if (known !== undefined) return known
    const key = `live-${createHash('sha256').update(name).digest('hex').slice(0, 12)}`
    const session = { key, client, started: this.#now(), exchanges: [], count: 0 }
    this.#sessions.set(name, session)
    return session
  }

  forget(exchange: LiveExchange): void {
    const session = this.#exchanges.get(exchange)
    if (session === undefined) return
    exchange.forget()
    this.#exchanges.delete(exchange)
    const at = session.exchanges.indexOf(exchange)
    if (at !== -1) session.exchanges.splice(at, 1)
    if (session.exchanges.length === 0) this.#sessions.delete(nameOf(session.client))
    this.listener?.gone(exchange, session)
  }

  forgetAll(): void {
    for (const exchange of this.#exchanges.keys()) this.forget(exchange)
  }

  #makeRoom(): void {
    while (this.#exchanges.size > this.#limits.exchanges || this.#pool.held > this.#limits.bytes) {
      const oldest = this.#oldestToForget()
      if (oldest === undefined) return
      this.forget(oldest)
    }
  }

  /** The oldest that is over; if none is, and there are too many, the oldest of all. The newest always stays. */
  #oldestToForget(): LiveExchange | undefined {
    if (this.#exchanges.size <= 1) return undefined
    let first: LiveExchange | undefined
    for (const exchange of this.#exchanges.keys()) {
      if (exchange.outcome !== undefined) return exchange
      first ??= exchange
    }
    return first
  }
}

/** Clients that do not name their sessions have one for all. */
function nameOf({ session, name }: RecordedClient): string {
  return session ?? `\0${name}`
}

const STARTED = performance.timeOrigin

/** The system's clock at the start, and from then on one that never goes backwards. */
function microseconds(): number {
  return Math.round((STARTED + performance.now()) * 1000)
}
