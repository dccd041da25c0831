import { once } from 'node:events'
import { createLog } from '../log/log.ts'
import type { Settings } from '../settings/read-settings.ts'
import { startServer } from './server.ts'

/** What the first process says to a worker that shall drain. */
export const DRAIN_MESSAGE = 'drain'

/** Serves as one of several processes until the first one says that it is enough. */
export async function serveWorker(settings: Settings): Promise<number> {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {})
  const told = once(process, 'message')
  const server = await startServer(settings, createLog(settings))
  await told
  await server.drain(settings.drainLimit)
  return 0
}
