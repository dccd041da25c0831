import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster, Redis } from 'iovalkey'
import type * as Iovalkey from 'iovalkey'
import { parseRedisAddress, type RedisAddress } from './redis-address.ts'

/** The part of a client of Valkey or Redis that the store needs. */
export interface RedisClient {
  /** Without user and password. */
  readonly address: string
  call(command: string, values: readonly (string | number)[]): Promise<unknown>
  script(source: string, keys: readonly string[], values: readonly string[]): Promise<unknown>
  close(): Promise<void>
}

/** How a server is called. */
export interface RedisClientOptions {
  /** How long a call may take, in milliseconds. */
  readonly timeout?: number
  /** Told of trouble with the connection. */
  readonly onTrouble?: ((message: string) => void) | undefined
}

/** A request must not wait for long for its limits to be looked up. */
const CALL_TIMEOUT = 100

/** How long a connection may take, and the longest pause between two attempts. */
const CONNECT_TIMEOUT = 2000
const MAX_PAUSE = 1000

/** How often it is asked which node of a cluster has what. */
const SLOTS_INTERVAL = 5000

/** After this many calls in a row without an answer the connection is given up: behind it nobody may listen any more. */
const MAX_SILENT_CALLS = 3

/** Opens a connection to Valkey or Redis, one server or a cluster (`parseRedisAddress` reads the address). */
export async function connectRedis(url: string, options: RedisClientOptions = {}): Promise<RedisClient> {
  const parsed = parseRedisAddress(url)
  if (parsed === undefined) throw new Error('expected an address such as redis://HOST:PORT')
  const address = withPassword(parsed)
  const { timeout = CALL_TIMEOUT, onTrouble = () => {} } = options
  const library = await loadClient()
  const client = address.isCluster ? cluster(library, address, timeout) : single(library, address, timeout)
  const opened = new IovalkeyClient(client, { timeout, address: address.shown })
  client.on('error', (error: Error) => {
    opened.trouble = error.message
    onTrouble(error.message)
  })
  client.on('ready', () => (opened.trouble = undefined))
  client.on('close', () => opened.closed())
  // A server that is not there yet is tried again; calls meanwhile fail.
  await untilConnected(client)
  return opened
}

/** The address with the password that its file holds, if it names one. */
function withPassword(address: RedisAddress): RedisAddress {
  const { passwordFile, shown } = address
  if (passwordFile === undefined) return address
  try {
    // Editors and `echo` end a file with a line break that is no part of the password.
    return { ...address, password: readFileSync(passwordFile, 'utf8').trim() }
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    throw new Error(`store ${shown}: the file ${passwordFile} cannot be read (${code})`, { cause })
  }
}

/** A cluster of which a node is missing keeps its client waiting; what is asked meanwhile fails. */
async function untilConnected(client: Redis | Cluster): Promise<void> {
  const waited = new AbortController()
  const { signal } = waited
  await Promise.race([
    client.connect().catch(() => {}),
    sleep(CONNECT_TIMEOUT, undefined, { signal }).catch(() => {}),
  ])
  waited.abort()
}

type Library = Pick<typeof Iovalkey, 'Cluster' | 'Redis'>

const retryStrategy = (times: number): number => Math.min(50 * 2 ** times, MAX_PAUSE)

function single({ Redis: Client }: Library, address: RedisAddress, timeout: number): Redis {
  return new Client({
    ...connection(address, timeout),
    ...address.hosts[0],
    db: address.database,
    retryStrategy,
    lazyConnect: true,
  })
}

function cluster({ Cluster: Client }: Library, address: RedisAddress, timeout: number): Cluster {
  return new Client([...address.hosts], {
    redisOptions: connection(address, timeout),
    clusterRetryStrategy: retryStrategy,
    enableOfflineQueue: false,
    slotsRefreshTimeout: CONNECT_TIMEOUT,
    // A node that has failed is noticed by a call that fails, and by this.
    slotsRefreshInterval: SLOTS_INTERVAL,
    lazyConnect: true,
  })
}

function connection(
  { isEncrypted, username, password }: RedisAddress,
  timeout: number,
): Iovalkey.RedisOptions {
  return {
    connectTimeout: CONNECT_TIMEOUT,
    // Also for what the client asks by itself when it has connected.
    commandTimeout: Math.max(timeout, CONNECT_TIMEOUT),
    // What could not be sent now is decided without the store: it must not be sent later, nor twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    ...(username !== '' && { username }),
    ...(password !== '' && { password }),
    ...(isEncrypted && { tls: {} }),
  }
}

async function loadClient(): Promise<Library> {
  try {
    return await import('iovalkey')
  } catch (cause) {
    throw new Error('a store in Valkey or Redis needs the package iovalkey: npm install iovalkey', { cause })
  }
}

/** What the client says of a call while there is no connection; why there is none it has said before. */
const UNCONNECTED = /Stream isn't writeable|Connection is closed|max retries per request/

/** A call got no answer in time. */
class SilentServer extends Error {}

class IovalkeyClient implements RedisClient {
  readonly address: string
  readonly #client: Redis | Cluster
  readonly #hashes = new Map<string, string>()
  readonly #timeout: number
  #silentCalls = 0
  /** The connection was given up, and is not closed yet. */
  #isLeaving = false
  /** Why there is no connection, as far as it is known. */
  trouble: string | undefined

  constructor(
    client: Redis | Cluster,
    { address, timeout }: { readonly address: string; readonly timeout: number },
  ) {
    this.#client = client
    this.#timeout = timeout
    this.address = address
  }

  call(command: string, values: readonly (string | number)[]): Promise<unknown> {
    return this.#watched(this.#client.call(command, ...values))
  }

  async script(source: string, keys: readonly string[], values: readonly string[]): Promise<unknown> {
    try {
      return await this.#watched(this.#client.evalsha(this.#hashOf(source), keys.length, ...keys, ...values))
    } catch (thrown) {
      if (!String(thrown).includes('NOSCRIPT')) throw thrown
      return this.#watched(this.#client.eval(source, keys.length, ...keys, ...values))
    }
  }

  async close(): Promise<void> {
    this.#client.disconnect()
  }

  /** The connection is closed; the client opens another one by itself. */
  closed(): void {
    this.#isLeaving = false
  }

  /** What a call brings, unless that takes too long. */
  async #watched(reply: Promise<unknown>): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined
    const silence = new Promise<never>((_resolve, reject) => {
      const giveUp = (): void => reject(new SilentServer(`no answer within ${this.#timeout} ms`))
      // Where this process itself was busy, the answer is there already and only has to be read: that comes first.
      timer = setTimeout(() => setImmediate(giveUp), this.#timeout)
    })
    try {
      const value = await Promise.race([reply, silence])
      this.#silentCalls = 0
      return value
    } catch (thrown) {
      if (thrown instanceof SilentServer) this.#missed()
      if (!UNCONNECTED.test(String(thrown))) throw thrown
      throw new Error(`it cannot be reached: ${this.trouble ?? 'there is no connection'}`, { cause: thrown })
    } finally {
      clearTimeout(timer)
    }
  }

  #missed(): void {
    this.#silentCalls += 1
    if (this.#silentCalls < MAX_SILENT_CALLS) return
    this.#silentCalls = 0
    // Of many calls in vain one is enough to leave.
    if (this.#isLeaving) return
    this.#isLeaving = true
    this.#client.disconnect(true)
  }

  #hashOf(source: string): string {
    const known = this.#hashes.get(source)
    if (known !== undefined) return known
    const hash = createHash('sha1').update(source).digest('hex')
    this.#hashes.set(source, hash)
    return hash
  }
}
