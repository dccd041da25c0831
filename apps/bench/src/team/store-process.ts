import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectRedis } from '@hydra/team'
import { freePort } from '../proxy/child.ts'

/** The server that is installed here, if one is. */
const SERVER = ['valkey-server', 'redis-server'].find((name) => spawnSync(name, ['--version']).status === 0)

/** A real Valkey or Redis on a free port. */
export interface StoreProcess {
  readonly url: string
  close(): Promise<void>
}

/** Starts a server as docs/team.md asks for it; nothing if none is installed. */
export async function startStore(): Promise<StoreProcess | undefined> {
  if (SERVER === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'hydra-bench-store-'))
  const port = await freePort()
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--appendonly', 'yes']
  const child: ChildProcess = spawn(SERVER, [...flags, '--save', ''], { stdio: 'ignore' })
  const url = `redis://127.0.0.1:${port}`
  await untilAnswering(url)
  return {
    url,
    async close() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilAnswering(url: string): Promise<void> {
  const client = await connectRedis(url)
  for (let left = 100; left > 0; left -= 1) {
    // oxlint-disable-next-line no-await-in-loop -- waiting is the point
    const isThere = await client.call('PING', []).catch(() => undefined)
    if (isThere !== undefined) break
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await client.close()
}
