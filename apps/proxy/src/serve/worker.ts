import { createLog } from '../log/log.ts'
import type { Settings } from '../settings/read-settings.ts'
import { startServer } from './server.ts'

/** What the first process says to a worker that shall drain. */
export const DRAIN_MESSAGE = 'drain'

/** What it says to one that shall read its settings again. */
export const RELOAD_MESSAGE = 'reload'

/** Serves as one of several processes until the first one says that it is enough. */
export async function serveWorker(settings: Settings, read: () => Promise<Settings>): Promise<number> {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  const log = createLog(settings)
  const starting = startServer(settings, log)
  const reload = async (): Promise<void> => (await starting).reload(await read())
  // The first process has read them already, so a fault is one that came in between.
  const drained = untilDrained(() => void reload().catch((thrown: unknown) => log.problem(String(thrown))))
  const server = await starting
  await drained
  await server.drain(settings.drainLimit)
  return 0
}

/** The first process also says other things, about figures. */
function untilDrained(reload: () => void): Promise<void> {
  return new Promise((resolve) => {
    process.on('message', (message) => {
      if (message === DRAIN_MESSAGE) resolve()
      if (message === RELOAD_MESSAGE) reload()
    })
  })
}
