import { fromBase64Url, toBase64Url } from './base64url.ts'
import { knownDigest } from './digest.ts'

/** What practically all clients take. */
export const COMMON_CALL_IDS: CallIdRule = { maxLength: 200, pattern: /^[a-zA-Z0-9_-]+$/ }
/** Our form of an id that could not be passed on: a counter and the original, both readable later. */
const CARRIER = /^hyd\d+_([a-zA-Z0-9_-]+)$/

/** What one side accepts as the id of a call. */
export interface CallIdRule {
  /** How many characters it takes. */
  readonly maxLength: number
  /** Which characters it takes; the same pattern must hold for a hash in hexadecimal. */
  readonly pattern: RegExp
}

/** What a client dialect says about the ids of calls. */
interface CallIdsOfClient {
  readonly callIds?: CallIdRule
  readonly newId?: { call(unique: string): string }
}

/** The ids of calls that a conversation has used already: clients pair results with calls by id alone. */
export class CallIdsInUse {
  readonly #ids = new Set<string>()
  /** The last counter of each id that was taken: an upstream that repeats one must not cost a search from 1 each time. */
  readonly #counts = new Map<string, number>()
  readonly #rule: CallIdRule
  readonly #newId: (unique: string) => string

  /** The rule is the client's, and so is the form of an id for a call that came without one. */
  constructor({ callIds, newId }: CallIdsOfClient = {}) {
    this.#rule = callIds ?? COMMON_CALL_IDS
    this.#newId = (unique) => newId?.call(unique) ?? `toolu_${unique}`
  }

  add(id: string): void {
    this.#ids.add(id)
  }

  /** The same ids in a list of its own. */
  copy(): CallIdsInUse {
    const copy = new CallIdsInUse({ callIds: this.#rule, newId: { call: this.#newId } })
    for (const id of this.#ids) copy.add(id)
    return copy
  }

  /** A legal id for the client that this conversation has not seen, from which the original can be read back. */
  claim(upstreamId: string, unique: string): string {
    const id = this.#free(upstreamId === '' ? this.#newId(unique) : upstreamId)
    this.#ids.add(id)
    return id
  }

  #free(original: string): string {
    // An upstream's id that looks like ours would be unwrapped when it is replayed.
    const { maxLength, pattern } = this.#rule
    const isPlain = original.length <= maxLength && pattern.test(original) && !CARRIER.test(original)
    if (isPlain && !this.#ids.has(original)) return original
    const carried = toBase64Url(original)
    for (let count = (this.#counts.get(original) ?? 0) + 1; ; count += 1) {
      const id = `hyd${count}_${carried}`
      if (this.#ids.has(id)) continue
      this.#counts.set(original, count)
      return id
    }
  }
}

/** Maps the client's call ids of one request to ids that the upstream accepts, restoring its own where it can. */
export class WireCallIds {
  readonly #rule: CallIdRule
  readonly #byClientId = new Map<string, string>()
  readonly #taken = new Set<string>()

  constructor(rule: CallIdRule) {
    this.#rule = rule
  }

  toWire(clientId: string): string {
    const known = this.#byClientId.get(clientId)
    if (known !== undefined) return known
    const wireId = this.#pick(clientId)
    this.#byClientId.set(clientId, wireId)
    this.#taken.add(wireId)
    return wireId
  }

  #pick(clientId: string): string {
    const carried = CARRIER.exec(clientId)?.[1]
    const original = carried === undefined ? undefined : fromBase64Url(carried)
    if (original !== undefined && this.#accepts(original)) return original
    return this.#accepts(clientId) ? clientId : this.#hashed(clientId)
  }

  #accepts(id: string): boolean {
    const { maxLength, pattern } = this.#rule
    return id.length <= maxLength && pattern.test(id) && !this.#taken.has(id)
  }

  #hashed(clientId: string): string {
    for (let salt = ''; ; salt += '+') {
      const id = knownDigest(clientId + salt).slice(0, Math.min(32, this.#rule.maxLength))
      if (!this.#taken.has(id)) return id
    }
  }
}
