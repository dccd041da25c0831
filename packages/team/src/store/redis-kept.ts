import type { RedisClient } from './redis-client.ts'
import { CLOCK } from './scripts.ts'
import { type Kept, KEPT_FOR, MAX_KEPT_BYTES } from './store.ts'

/**
 * Keeps texts and lets the oldest go that are too many or too old. The size of each is beside it, because the sum must
 * be right whatever has gone.
 * KEYS: the texts, their ages, the sum of their sizes. ARGV: time, age, bytes, then name and text of each.
 */
const PUT = `${CLOCK}
local now, age, most = clock(), tonumber(ARGV[2]), tonumber(ARGV[3])
local bytes = tonumber(redis.call('GET', KEYS[3]) or '0')
local function drop(name)
  bytes = bytes - redis.call('HSTRLEN', KEYS[1], name)
  redis.call('HDEL', KEYS[1], name)
  redis.call('ZREM', KEYS[2], name)
end
for at = 4, #ARGV, 2 do
  drop(ARGV[at])
  redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1])
  redis.call('ZADD', KEYS[2], now, ARGV[at])
  bytes = bytes + #ARGV[at + 1]
end
for _, name in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now - age)) do drop(name) end
while bytes > most do
  local name = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
  if not name then break end
  drop(name)
end
redis.call('SET', KEYS[3], bytes, 'PX', age)
redis.call('PEXPIRE', KEYS[1], age)
redis.call('PEXPIRE', KEYS[2], age)
return 1
`

const DELETE = `
local bytes = tonumber(redis.call('GET', KEYS[3]) or '0')
for at = 1, #ARGV do
  bytes = bytes - redis.call('HSTRLEN', KEYS[1], ARGV[at])
  redis.call('HDEL', KEYS[1], ARGV[at])
  redis.call('ZREM', KEYS[2], ARGV[at])
end
redis.call('SET', KEYS[3], bytes, 'KEEPTTL')
return 1
`

/** Texts that are referred back to, in Valkey or Redis; those of one client are on one node of a cluster. */
export class RedisKept implements Kept {
  readonly #client: RedisClient
  readonly #prefix: string
  readonly #clock: (() => number) | undefined

  constructor(client: RedisClient, prefix: string, clock?: () => number) {
    this.#client = client
    this.#prefix = prefix
    this.#clock = clock
  }

  async get(client: string, keys: readonly string[]): Promise<readonly (string | undefined)[]> {
    const texts = (await this.#client.call('HMGET', [this.#names(client)[0], ...keys])) as (string | null)[]
    return texts.map((text) => text ?? undefined)
  }

  async put(client: string, texts: ReadonlyMap<string, string>): Promise<void> {
    const limits = [String(this.#clock?.() ?? ''), String(KEPT_FOR), String(MAX_KEPT_BYTES)]
    await this.#client.script(PUT, this.#names(client), [...limits, ...[...texts].flat()])
  }

  async delete(client: string, keys: readonly string[]): Promise<void> {
    await this.#client.script(DELETE, this.#names(client), keys)
  }

  #names(client: string): [string, string, string] {
    const base = `{${this.#prefix}:kept:${client}}`
    return [`${base}:texts`, `${base}:ages`, `${base}:bytes`]
  }
}
