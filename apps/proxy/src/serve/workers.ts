import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createLog } from '../log/log.ts'
import { urlOf } from '../settings/address.ts'
import type { Settings } from '../settings/read-settings.ts'
import { untilStopped } from './until-stopped.ts'
import { DRAIN_MESSAGE } from './worker.ts'

/** How long a worker's place stays empty: one that cannot live must not be started over and over. */
const REPLACEMENT_PAUSE = 1000

/** Several processes share one port; the first one only looks after them. */
export async function servePrimary(settings: Settings): Promise<number> {
  const serving = new WeakSet<Worker>()
  cluster.on('listening', (worker) => serving.add(worker))
  // What keeps one from starting keeps all, so the first one is tried alone and says so once.
  const port = await started(cluster.fork())
  if (port === undefined) return 2
  await Promise.all(Array.from({ length: settings.workers - 1 }, () => started(cluster.fork())))
  const log = createLog(settings)
  log.started(urlOf(settings.host, port))
  let isStopping = false
  cluster.on('exit', ({ process: { pid } }) => {
    if (isStopping) return
    log.problem(`worker ${pid} has ended; another one takes its place`)
    setTimeout(() => isStopping || cluster.fork(), REPLACEMENT_PAUSE)
  })
  await untilStopped({
    async drain() {
      isStopping = true
      log.draining()
      await Promise.all(allWorkers().map((worker) => drained(worker, serving)))
    },
    end() {
      for (const worker of allWorkers()) worker.process.kill('SIGKILL')
    },
  })
  return 0
}

/** The port that a worker listens on, or nothing if it ended before. */
function started(worker: Worker): Promise<number | undefined> {
  return new Promise((resolve) => {
    worker.once('listening', ({ port }) => resolve(port))
    worker.once('exit', () => resolve(undefined))
  })
}

/** Signals may reach workers as well, or not, depending on who sends them: they are told by message only. */
async function drained(worker: Worker, serving: WeakSet<Worker>): Promise<void> {
  const gone = once(worker, 'exit')
  if (serving.has(worker)) worker.send(DRAIN_MESSAGE)
  // One that is only starting would not hear it, and serves nobody yet.
  else worker.process.kill('SIGKILL')
  await gone
}

function allWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
}
