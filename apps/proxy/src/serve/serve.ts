import cluster from 'node:cluster'
import { parseOnlyOptions } from '../cli/parse-options.ts'
import { createLog } from '../log/log.ts'
import { readSettings, type Settings } from '../settings/read-settings.ts'
import { startServer } from './server.ts'
import { untilStopped } from './until-stopped.ts'
import { servePrimary } from './workers.ts'
import { serveWorker } from './worker.ts'

/** `hydra serve`: runs until it is told to stop. */
export async function serve(args: readonly string[]): Promise<number> {
  const settings = await readSettings(parseOnlyOptions('serve', args), process.env)
  // A reader that is gone, as in `hydra serve | head`, must not take the proxy with it.
  process.stdout.on('error', () => {})
  if (cluster.isWorker) return serveWorker(settings)
  return settings.workers > 1 ? servePrimary(settings) : serveAlone(settings)
}

async function serveAlone(settings: Settings): Promise<number> {
  const log = createLog(settings)
  const server = await startServer(settings, log)
  log.started(server.url)
  await untilStopped({
    drain() {
      log.draining()
      return server.drain(settings.drainLimit)
    },
  })
  return 0
}
