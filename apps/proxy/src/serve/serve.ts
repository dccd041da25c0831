import cluster from 'node:cluster'
import { starterSignal } from '@hydra/cli'
import { parseOnlyOptions } from '../cli/parse-options.ts'
import { createLog } from '../log/log.ts'
import { readSettings, type Settings } from '../settings/read-settings.ts'
import { inspectorUrl } from '../settings/address.ts'
import { openBrowser } from './open-browser.ts'
import { keepBooks } from '../team/separate-books.ts'
import { keepDoor } from './open-door.ts'
import { reloadingOf } from './reloading.ts'
import { startServer } from './server.ts'
import { untilStopped } from './until-stopped.ts'
import { servePrimary } from './workers.ts'
import { serveWorker } from './worker.ts'

/** `hydra serve`: runs until it is stopped. */
export async function serve(args: readonly string[]): Promise<number> {
  const read = (): Promise<Settings> => readSettings(parseOnlyOptions('serve', args), process.env)
  const gone = await starterSignal(process.env)
  const settings = await read()
  // A reader that is gone, as in `hydra serve | head`, must not take the proxy with it.
  process.stdout.on('error', () => {})
  const readAgain = async (): Promise<Settings> => {
    const changed = await read()
    keepDoor(settings, changed)
    keepBooks(settings, changed)
    return changed
  }
  if (cluster.isWorker) return serveWorker(settings, readAgain)
  return settings.workers > 1
    ? servePrimary(settings, readAgain, gone)
    : serveAlone(settings, readAgain, gone)
}

async function serveAlone(
  settings: Settings,
  read: () => Promise<Settings>,
  gone: AbortSignal,
): Promise<number> {
  const log = createLog(settings)
  const server = await startServer(settings, log)
  const reloading = reloadingOf(settings, { read, use: (changed) => server.reload(changed), log })
  // Whoever reads that it listens may send a signal at once.
  const stopped = untilStopped({
    gone,
    reload: reloading && (() => void reloading.now()),
    drain() {
      log.draining()
      return server.drain(settings.drainLimit)
    },
  })
  log.started(server.url)
  if (settings.open) openBrowser(inspectorUrl(server.url))
  await stopped
  return 0
}
