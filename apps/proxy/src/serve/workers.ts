import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createLog } from '../log/log.ts'
import { inspectorUrl, urlOf } from '../settings/address.ts'
import type { Settings } from '../settings/read-settings.ts'
import { gatherForWorkers } from './gathered-metrics.ts'
import { openBrowser } from './open-browser.ts'
import { inspectorOfWorkers } from './shared-inspector.ts'
import { untilStopped } from './until-stopped.ts'
import { redactionFor, secretsOf } from './recording.ts'
import { reloadingOf } from './reloading.ts'
import { DRAIN_MESSAGE, RELOAD_MESSAGE } from './worker.ts'

/** How long a worker's place stays empty: one that cannot live must not be started over and over. */
const REPLACEMENT_PAUSE = 1000

/** How long a worker may take to end after its streams have had their time. */
const LAST_MOMENTS = 5000

/** Several processes share one port; the first one only looks after them. */
export async function servePrimary(
  settings: Settings,
  read: () => Promise<Settings>,
  gone: AbortSignal,
): Promise<number> {
  // Exchanges go from one process to another as the bytes that they are.
  cluster.setupPrimary({ serialization: 'advanced' })
  gatherForWorkers()
  const redaction = redactionFor(settings)
  const inspector = settings.inspector ? inspectorOfWorkers(settings, redaction) : undefined
  const serving = new WeakSet<Worker>()
  cluster.on('listening', (worker) => serving.add(worker))
  // What keeps one from starting keeps all, so the first one is started alone and reports it once.
  const port = await started(cluster.fork())
  if (port === undefined) return 2
  const log = createLog(settings)
  let isStopping = false
  // From now on a worker that ends is replaced, also one that had not begun to serve.
  cluster.on('exit', ({ process: { pid } }) => {
    if (isStopping) return
    log.problem(`worker ${pid} has ended; another one takes its place`)
    setTimeout(() => isStopping || cluster.fork(), REPLACEMENT_PAUSE)
  })
  await Promise.all(Array.from({ length: settings.workers - 1 }, () => started(cluster.fork())))
  const reloading = reloadingOf(settings, {
    read,
    use(changed) {
      redaction.learn(secretsOf(changed.gateway))
      reloadAll()
    },
    log,
  })
  // Whoever reads that it listens may send a signal at once.
  const stopped = untilStopped({
    gone,
    reload: reloading && (() => void reloading.now()),
    async drain() {
      isStopping = true
      log.draining()
      inspector?.close()
      const limit = settings.drainLimit + LAST_MOMENTS
      await Promise.all(
        allWorkers().map(async (worker) => {
          if (await drained(worker, serving, limit)) return
          log.problem(`worker ${worker.process.pid} did not end in time and was killed`)
        }),
      )
    },
    end() {
      for (const worker of allWorkers()) worker.process.kill('SIGKILL')
    },
  })
  const url = urlOf(settings.host, port)
  log.started(url)
  if (settings.open) openBrowser(inspectorUrl(url))
  await stopped
  return 0
}

/** Has all workers read their settings again. */
function reloadAll(): void {
  for (const worker of allWorkers()) worker.send(RELOAD_MESSAGE, () => {})
}

/** The port that a worker listens on, or nothing if it ended before. */
function started(worker: Worker): Promise<number | undefined> {
  return new Promise((resolve) => {
    worker.once('listening', ({ port }) => resolve(port))
    worker.once('exit', () => resolve(undefined))
  })
}

/**
 * Signals may reach workers as well, or not, depending on who sends them: they are stopped by message only. One that does
 * not react in time is killed. Gives whether it ended by itself.
 */
async function drained(worker: Worker, serving: WeakSet<Worker>, limit: number): Promise<boolean> {
  const gone = once(worker, 'exit')
  const isServing = serving.has(worker)
  // One that is only starting would miss it, and serves nobody yet.
  if (!isServing) worker.process.kill('SIGKILL')
  else worker.send(DRAIN_MESSAGE, () => {})
  let hasReacted = true
  const timer = setTimeout(() => {
    hasReacted = false
    worker.process.kill('SIGKILL')
  }, limit)
  await gone
  clearTimeout(timer)
  return hasReacted
}

function allWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
}
