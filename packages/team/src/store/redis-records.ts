import type { RedisClient } from './redis-client.ts'
import type { Records } from './store.ts'

const PUT = `
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return redis.call('INCR', KEYS[2])
`

/** Small texts in Valkey or Redis. */
export class RedisRecords implements Records {
  readonly #client: RedisClient
  readonly #texts: string
  readonly #version: string

  constructor(client: RedisClient, base: string) {
    this.#client = client
    this.#texts = `${base}:texts`
    this.#version = `${base}:version`
  }

  async get(id: string): Promise<string | undefined> {
    return ((await this.#client.call('HGET', [this.#texts, id])) as string | null) ?? undefined
  }

  async put(id: string, text: string): Promise<void> {
    await this.#client.script(PUT, [this.#texts, this.#version], [id, text])
  }

  async all(): Promise<ReadonlyMap<string, string>> {
    const fields = (await this.#client.call('HGETALL', [this.#texts])) as string[]
    const texts = new Map<string, string>()
    for (let index = 0; index + 1 < fields.length; index += 2) {
      texts.set(String(fields[index]), String(fields[index + 1]))
    }
    return texts
  }

  async version(): Promise<number> {
    return Number((await this.#client.call('GET', [this.#version])) ?? 0)
  }
}
