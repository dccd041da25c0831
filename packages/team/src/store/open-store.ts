import { FileStore } from './file-store.ts'
import { MemoryStore } from './memory-store.ts'
import { connectRedis, type RedisClientOptions } from './redis-client.ts'
import { parseRedisAddress } from './redis-address.ts'
import { RedisStore } from './redis-store.ts'
import type { Store } from './store.ts'

/** What is wrong with the address of a store, if anything is. It is not quoted: it may hold a password. */
export function faultOfStore(address: string): string | undefined {
  if (address === 'memory' || /^file:./.test(address)) return undefined
  if (parseRedisAddress(address) !== undefined) return undefined
  return 'expected memory, file:PATH or redis://HOST:PORT (also rediss:, valkey:; of a cluster redis://HOST,HOST,HOST)'
}

/** Opens a store by its address: `memory`, `file:PATH`, or `redis://…` for Valkey and Redis, one server or a cluster. */
export async function openStore(address: string, options: RedisClientOptions = {}): Promise<Store> {
  const fault = faultOfStore(address)
  if (fault !== undefined) throw new Error(`the store: ${fault}`)
  if (address === 'memory') return new MemoryStore()
  if (address.startsWith('file:')) return openFile(address.slice('file:'.length))
  const prefix = parseRedisAddress(address)?.prefix
  const client = await connectRedis(address, options)
  return new RedisStore(client, prefix === undefined ? {} : { prefix })
}

/** SQLite's own words do not say which file. */
function openFile(path: string): FileStore {
  try {
    return new FileStore(path)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`store file ${path}: it cannot be opened: ${reason}`, { cause })
  }
}
