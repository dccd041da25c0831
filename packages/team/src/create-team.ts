import { HubError } from '@hydra/core'
import {
  type Authorization,
  presentedKeys,
  type RequestInfo,
  Secret,
  type SharedMemory,
  type UpstreamRests,
} from '@hydra/gateway'
import { type ClientKey, hashOf, isValid, KEY_PREFIX } from './keys/client-key.ts'
import { KeyRing } from './keys/key-ring.ts'
import { TeamMemory } from './memory/team-memory.ts'
import { TeamRests } from './upstreams/team-rests.ts'
import { type PriceOf, TeamLimiter, type TeamLimiterOptions } from './limiter/team-limiter.ts'

/** What a team's gateway is made of. */
export interface TeamOptions extends TeamLimiterOptions, TeamChange {}

/** What may change while a team is served. */
export interface TeamChange {
  /** Keys that a configuration names, besides those in the store. */
  readonly keys?: readonly ClientKey[] | undefined
  /** A key without limits that all may share. */
  readonly sharedKey?: Secret | undefined
  readonly priceOf?: PriceOf | undefined
}

/** The hooks of a gateway for a team. */
export interface Team {
  readonly authorize: (info: RequestInfo<unknown>) => Promise<Authorization>
  readonly limiter: TeamLimiter
  /** What clients refer back to; absent where the gateway's own memory is all there is to share. */
  readonly memory: SharedMemory | undefined
  /** Which keys of providers and which upstreams are left alone. */
  readonly rests: UpstreamRests
  /** Takes other keys and prices in place of those that a configuration named; what is absent is gone. */
  configure(change: TeamChange): void
  /** Whether the keys in the store were read at least once: until then nobody who has one can be let in. */
  readonly knowsKeys: boolean
  /** Why the gateway should get no requests at the moment, if that is so. */
  trouble(): string | undefined
  close(): Promise<void>
}

/** Creates the hooks of a gateway for a team: give `authorize`, `limiter`, `memory` and `rests` to `createGateway`. */
export async function createTeam(options: TeamOptions): Promise<Team> {
  const { store, keys } = options
  const limiter = new TeamLimiter({
    ...options,
    onBack: () => {
      void memory?.flush()
      options.onBack?.()
    },
  })
  let sharedHash = hashOfShared(options)
  const onLost = (thrown: unknown): void => limiter.lost(thrown)
  const memory = store.kept && new TeamMemory({ kept: store.kept, onLost, isLost: () => !limiter.isSure })
  const rests = new TeamRests({ rests: store.rests, onLost })
  const ring = new KeyRing({ records: store.records, configured: keys, onLost })
  await Promise.all([ring.refresh(), rests.refresh()])
  return {
    authorize: (info) => authorize(info, ring, sharedHash),
    limiter,
    memory,
    rests,
    configure(change) {
      ring.configure(change.keys ?? [])
      sharedHash = hashOfShared(change)
      limiter.pricedBy(change.priceOf)
    },
    get knowsKeys() {
      return ring.isRead
    },
    trouble: () => (limiter.isSure && ring.isRead ? undefined : `store ${store.name}: it cannot be reached`),
    async close() {
      ring.close()
      rests.close()
      await limiter.close()
      await store.close()
    },
  }
}

function hashOfShared({ sharedKey }: TeamChange): string | undefined {
  return sharedKey && hashOf(sharedKey.reveal())
}

/** Strangers must not have the store asked for more: a client sends one key, and perhaps one for its provider. */
const MAX_LOOKUPS = 2

async function authorize(
  { headers, query }: RequestInfo<unknown>,
  ring: KeyRing,
  sharedHash: string | undefined,
): Promise<Authorization> {
  const presented = presentedKeys({ headers, query })
  const unknown: string[] = []
  for (const key of presented) {
    if (sharedHash !== undefined && hashOf(key) === sharedHash) return true
    const known = ring.known(key)
    if (known !== undefined && isValid(known, Date.now())) return identityOf(known, key)
    if (known === undefined && key.startsWith(KEY_PREFIX)) unknown.push(key)
  }
  return (await lookUp(unknown.slice(0, MAX_LOOKUPS), ring)) ?? NO_KEY
}

// Whether a key is unknown, revoked or expired is nobody's business.
const NO_KEY = new HubError(
  'authentication_error',
  'this server asks for a key: send it as x-api-key or Authorization: Bearer',
)

/** Whose key is in the store, or that it cannot be asked. */
async function lookUp(keys: readonly string[], ring: KeyRing): Promise<Authorization | undefined> {
  let unsure: HubError | undefined
  for (const key of keys) {
    // oxlint-disable-next-line no-await-in-loop -- nearly always there is one
    const known = await lookedUp(ring, key)
    if (known instanceof HubError) unsure = known
    else if (known !== undefined && isValid(known, Date.now())) return identityOf(known, key)
  }
  return unsure
}

async function lookedUp(ring: KeyRing, key: string): Promise<ClientKey | HubError | undefined> {
  try {
    return await ring.lookUp(key)
  } catch {
    return new HubError('overloaded_error', 'keys cannot be checked at the moment', {
      status: 503,
      retryAfter: 2,
    })
  }
}

function identityOf({ id, name, owner, limits, models, routes }: ClientKey, key: string): Authorization {
  return { id, name, owner, limits, models, routes, key: new Secret(key) }
}
