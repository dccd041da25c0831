export {
  type Budget,
  DOLLAR,
  isUnlimited,
  MAX_DOLLARS,
  MAX_LIMIT,
  type Limits,
  type Period,
  shownAmount,
  type Unit,
} from './account/limits.ts'
export type { Refusal } from './account/refusal.ts'
export { createTeam, type Team, type TeamChange, type TeamOptions } from './create-team.ts'
export { type ClientKey, hashOf, KEY_PREFIX, newKey, newKeyId } from './keys/client-key.ts'
export type { PricedModel } from './limiter/dearest.ts'
export { type PriceOf, TeamLimiter, type TeamLimiterOptions } from './limiter/team-limiter.ts'
export { FileStore } from './store/file-store.ts'
export { MemoryStore } from './store/memory-store.ts'
export { faultOfStore, openStore } from './store/open-store.ts'
export { connectRedis, type RedisClient, type RedisClientOptions } from './store/redis-client.ts'
export { RedisStore, type RedisStoreOptions } from './store/redis-store.ts'
export type {
  DayRange,
  Kept,
  Look,
  Order,
  Records,
  Renewal,
  Rests,
  Settlement,
  Store,
  UsageEntry,
  UsageRow,
  Used,
  Verdict,
} from './store/store.ts'
