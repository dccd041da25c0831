import { digest, HubError } from '@hydra/core'
import type { Upstream } from '../options.ts'
import { NO_RESTS, type UpstreamRests } from './upstream-rests.ts'

/** How long a key rests that was refused for its rate, where the upstream does not say; and one that is not valid or paid for. */
const RATE_REST = 30_000
const REFUSED_REST = 600_000

/** An upstream that says 0 seconds is not called again at once, and one that says years is asked again some day. */
const MIN_REST = 1000
const MAX_REST = 86_400_000

/** A key is to blame for these: too often used, not valid, not paid for. */
const KEY_STATUSES: ReadonlySet<number> = new Set([401, 402, 429])

/** One key of an upstream, which is called as if it were its only one. */
export interface PooledKey {
  readonly label: string
  readonly upstream: Upstream
}

interface Entry extends PooledKey {
  readonly weight: number
  /** What other gateways know it by. */
  readonly sharedName: string
  /** How far its turn has come: the smooth weighted round robin of nginx. */
  turn: number
  restsUntil: number
  /** It rests because it was used too often, and not because it is of no use. */
  isTired: boolean
}

/** Several keys of one upstream that take turns; one that was refused rests. */
export class KeyPool {
  readonly #name: string
  readonly #entries: readonly Entry[]
  readonly #now: () => number
  readonly #rests: UpstreamRests

  constructor(name: string, upstream: Upstream, now: () => number, rests: UpstreamRests = NO_RESTS) {
    this.#name = name
    this.#now = now
    this.#rests = rests
    this.#entries = (upstream.keys ?? []).map(({ key, label, weight = 1 }) => ({
      label,
      weight,
      sharedName: sharedName(name, label, key.reveal()),
      upstream: { ...upstream, key, keys: undefined },
      turn: 0,
      restsUntil: -Infinity,
      isTired: false,
    }))
  }

  /** The key whose turn it is; throws when all of them rest. */
  take(): PooledKey {
    const now = this.#now()
    const ready = this.#entries.filter((entry) => this.#restOf(entry, now) <= 0)
    const [first] = ready
    if (first === undefined) throw this.#allRest(now)
    const total = ready.reduce((sum, { weight }) => sum + weight, 0)
    for (const entry of ready) entry.turn += entry.weight
    const next = ready.reduce((best, entry) => (entry.turn > best.turn ? entry : best), first)
    next.turn -= total
    return next
  }

  /**
   * A call with a key failed; gives what the client is told, or nothing if the key was to blame and another one can be
   * tried at once. A client does not ask again for a key that is of no use, but another one may be ready soon.
   */
  failed({ label }: PooledKey, error: HubError): HubError | undefined {
    const { status, retryAfter } = error
    const entry = this.#entries.find((one) => one.label === label)
    if (entry === undefined || !KEY_STATUSES.has(status)) return error
    const now = this.#now()
    const rest = status === 429 ? RATE_REST : REFUSED_REST
    const milliseconds =
      retryAfter === undefined ? rest : Math.min(MAX_REST, Math.max(MIN_REST, retryAfter * 1000))
    entry.restsUntil = Math.max(entry.restsUntil, now + milliseconds)
    entry.isTired = status === 429
    this.#rests.rest(entry.sharedName, milliseconds)
    if (this.#entries.some((one) => this.#restOf(one, now) <= 0)) return undefined
    const isSoon = !entry.isTired && this.#entries.some(({ isTired }) => isTired)
    return isSoon ? this.#allRest(now) : error
  }

  #restOf({ restsUntil, sharedName: name }: Entry, now: number): number {
    return Math.max(restsUntil - now, this.#rests.restOf(name))
  }

  #allRest(now: number): HubError {
    const wait = Math.min(...this.#entries.map((entry) => this.#restOf(entry, now)))
    return new HubError('rate_limit_error', `upstream ${this.#name}: all of its keys were refused and rest`, {
      retryAfter: Math.ceil(wait / 1000),
    })
  }
}

/** A key that takes the place of another one under the same label does not rest for it. */
function sharedName(upstream: string, label: string, key: string): string {
  return `key ${upstream} ${label} ${digest(key).slice(0, 16)}`
}
