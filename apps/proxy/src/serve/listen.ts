import { once } from 'node:events'
import type { Server } from 'node:http'
import { UsageError } from '@hydra/cli'
import { findRunning } from '../run/find-running.ts'
import { bareHost } from '../settings/address.ts'
import type { Settings } from '../settings/read-settings.ts'

/** Listens where the settings say; why that is not possible is a mistake of who typed them. */
export async function listen(server: Server, settings: Settings): Promise<void> {
  const { host, port } = settings
  const listening = once(server, 'listening')
  server.listen(port, bareHost(host))
  try {
    await listening
  } catch (error) {
    throw new UsageError(await reasonOf(error as NodeJS.ErrnoException, settings))
  }
}

async function reasonOf(error: NodeJS.ErrnoException, { host, port, gateway }: Settings): Promise<string> {
  const { code, message } = error
  if (code === 'EADDRINUSE') {
    const { who } = await findRunning({ host, port, key: gateway.guard?.key })
    const isOurs = who === 'hydra' || who === 'locked'
    return `port ${port} is taken${isOurs ? ' by a hydra that runs already' : ''}: choose another with --port`
  }
  if (code === 'EACCES') return `port ${port} needs more rights than you have: choose another with --port`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `--host ${host} is no address of this machine`
  return message
}
