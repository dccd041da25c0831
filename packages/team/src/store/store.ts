import type { Account, Holding, Spent } from '../account/account.ts'
import type { Limits, Period } from '../account/limits.ts'
import type { Refusal } from '../account/refusal.ts'

/**
 * Where a team's books are kept: who may do what, what was used and what is reserved. Each method is one atomic step by
 * the store's own clock, so any number of replicas may share one.
 */
export interface Store {
  /** What it is, for messages: no password. */
  readonly name: string
  /** Reserves what a request may need, if all limits allow it. */
  reserve(order: Order): Promise<Verdict>
  /** Ends a reservation and books what was really used. Settling the same one again changes nothing. */
  settle(settlement: Settlement): Promise<void>
  /** Keeps reservations of requests that are still under way; puts back those that the store has lost. */
  renew(renewal: Renewal): Promise<void>
  /** How an account is now. */
  look(account: string, limits: Limits): Promise<Look>
  /** What was used on which days, from the first to the last day. */
  usage(days: DayRange): Promise<UsageRow[]>
  readonly records: Records
  readonly rests: Rests
  /** What any replica may need again; absent where there is only one process, which remembers it by itself. */
  readonly kept?: Kept | undefined
  /** Rejects if the store cannot be used, also where it answers and takes nothing: full, or read only. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** A wish to begin a request. */
export interface Order {
  readonly account: string
  /** Unique among all reservations of all replicas. */
  readonly id: string
  readonly limits: Limits
  readonly demand: Holding
  /** After how many milliseconds it is dropped unless it is renewed: the request died with its replica. */
  readonly lease: number
  /** What the replica has seen spent: a store that came back empty must not give it out again. */
  readonly known?: Readonly<Record<Period, Spent>> | undefined
}

/** An account by the store's clock. */
export interface Look {
  readonly account: Account
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Whether a request may begin: without a refusal it may. */
export interface Verdict extends Look {
  readonly refusal?: Refusal | undefined
}

/** What a request has really used. */
export interface Settlement {
  readonly account: string
  readonly id: string
  /** For the rate of tokens. */
  readonly limits: Limits
  readonly used: Used
  /** For the books; absent if there is nothing to write down. */
  readonly entry?: UsageEntry | undefined
  /** Settlements that nobody will send again: that they were settled needs not be remembered any longer. */
  readonly confirmed?: readonly string[] | undefined
}

/** Tokens and money (billionths of a dollar) that were spent. */
export interface Used {
  readonly tokens: number
  readonly money: number
}

/** Reservations that are still needed. */
export interface Renewal {
  readonly account: string
  readonly lease: number
  readonly held: ReadonlyMap<string, Holding>
}

/** One request in the books. */
export interface UsageEntry {
  readonly model: string
  readonly agent: string
  readonly input: number
  readonly output: number
  readonly money: number
}

/** The sum of some requests in the books. */
export interface UsageRow extends UsageEntry {
  /** Days since 1970, UTC. */
  readonly day: number
  readonly account: string
  readonly requests: number
}

/** Days since 1970, UTC; both are included. */
export interface DayRange {
  readonly from: number
  readonly to: number
}

/** Small texts under names that all replicas see: the client keys by their hashes. */
export interface Records {
  get(id: string): Promise<string | undefined>
  put(id: string, text: string): Promise<void>
  all(): Promise<ReadonlyMap<string, string>>
  /** Changes with every `put`. */
  version(): Promise<number>
}

/** Names of what is left alone for a while: keys of providers that were refused, upstreams that keep failing. */
export interface Rests {
  /** Leaves it alone for a time in milliseconds; of two rests the longer one counts. */
  put(name: string, milliseconds: number): Promise<void>
  end(name: string): Promise<void>
  /** All that rest, and for how many milliseconds yet. */
  all(): Promise<ReadonlyMap<string, number>>
}

/** Texts that a client's later requests may refer back to: for a day, and as many as fit. */
export interface Kept {
  /** In the order of the keys. */
  get(client: string, keys: readonly string[]): Promise<readonly (string | undefined)[]>
  put(client: string, texts: ReadonlyMap<string, string>): Promise<void>
  delete(client: string, keys: readonly string[]): Promise<void>
}

/** How long a text is kept, in milliseconds, and how much of one client. */
export const KEPT_FOR = 86_400_000
export const MAX_KEPT_BYTES: number = 16 * 1024 * 1024
