import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectRedis } from '../src/index.ts'

/** The server that is installed here, if one is. */
export const SERVER: string | undefined = ['valkey-server', 'redis-server'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
)

if (SERVER === undefined) {
  console.warn('no redis-server or valkey-server here: the tests of the shared store are skipped')
}

/** A real server on a free port, with its own folder. */
export class RedisServer {
  readonly port: number
  readonly #folder = mkdtempSync(join(tmpdir(), 'hydra-redis-'))
  readonly #flags: readonly string[]
  #process: ChildProcess | undefined

  private constructor(port: number, flags: readonly string[]) {
    this.port = port
    this.#flags = flags
  }

  static async start(...flags: string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), flags)
    await server.start()
    return server
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  async start(): Promise<void> {
    const own = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.#folder, '--save', '']
    this.#process = spawn(SERVER as string, [...own, ...this.#flags], { stdio: 'ignore' })
    const client = await connectRedis(this.url)
    for (let left = 100; left > 0; left -= 1) {
      // oxlint-disable-next-line no-await-in-loop -- waiting is the point
      const isThere = await client.call('PING', []).catch(() => undefined)
      if (isThere !== undefined) break
      // oxlint-disable-next-line no-await-in-loop
      await sleep(50)
    }
    await client.close()
  }

  /** Lets it take connections and calls, and answer none. */
  pause(): void {
    this.#process?.kill('SIGSTOP')
  }

  goOn(): void {
    this.#process?.kill('SIGCONT')
  }

  /** Ends it at once, as a crash does. */
  async kill(): Promise<void> {
    if (this.#process === undefined || this.#process.signalCode !== null) return
    const gone = new Promise((resolve) => this.#process?.once('exit', resolve))
    this.#process?.kill('SIGKILL')
    await gone
  }

  async stop(): Promise<void> {
    await this.kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
