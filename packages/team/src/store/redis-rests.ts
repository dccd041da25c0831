import type { RedisClient } from './redis-client.ts'
import { CLOCK } from './scripts.ts'
import type { Rests } from './store.ts'

const PUT = `${CLOCK}
local now = clock()
local fields = redis.call('HGETALL', KEYS[1])
for at = 1, #fields, 2 do
  if tonumber(fields[at + 1]) <= now then redis.call('HDEL', KEYS[1], fields[at]) end
end
local known = tonumber(redis.call('HGET', KEYS[1], ARGV[2]) or '0')
redis.call('HSET', KEYS[1], ARGV[2], string.format('%.17g', math.max(known, now + tonumber(ARGV[3]))))
redis.call('PEXPIRE', KEYS[1], 86400000)
return 1
`

const ALL = `${CLOCK}
local now = clock()
local out = {}
local fields = redis.call('HGETALL', KEYS[1])
for at = 1, #fields, 2 do
  local left = tonumber(fields[at + 1]) - now
  if left > 0 then
    out[#out + 1] = fields[at]
    out[#out + 1] = string.format('%.17g', left)
  end
end
return out
`

/** What rests, in Valkey or Redis, by the server's clock. */
export class RedisRests implements Rests {
  readonly #client: RedisClient
  readonly #name: string
  readonly #clock: (() => number) | undefined

  constructor(client: RedisClient, name: string, clock?: () => number) {
    this.#client = client
    this.#name = name
    this.#clock = clock
  }

  async put(name: string, milliseconds: number): Promise<void> {
    await this.#client.script(PUT, [this.#name], [this.#now(), name, String(milliseconds)])
  }

  async end(name: string): Promise<void> {
    await this.#client.call('HDEL', [this.#name, name])
  }

  async all(): Promise<ReadonlyMap<string, number>> {
    const fields = (await this.#client.script(ALL, [this.#name], [this.#now()])) as string[]
    const rests = new Map<string, number>()
    for (let index = 0; index + 1 < fields.length; index += 2) {
      rests.set(String(fields[index]), Number(fields[index + 1]))
    }
    return rests
  }

  #now(): string {
    return String(this.#clock?.() ?? '')
  }
}
