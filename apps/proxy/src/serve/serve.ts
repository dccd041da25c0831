import cluster from 'node:cluster'
import { parseOptions } from '../cli/options.ts'
import { readSettings } from '../settings/read-settings.ts'
import type { Settings } from '../settings/settings.ts'
import { banner } from './banner.ts'
import { type RunningServer, startServer } from './server.ts'

/** How long streams may go on after the first signal, in milliseconds. */
const DRAIN_LIMIT = 30_000

/** `hydra serve`: runs until it is told to stop. */
export async function serve(args: readonly string[]): Promise<number> {
  const { options } = parseOptions(args)
  const settings = await readSettings(options, process.env)
  if (settings.workers > 1 && cluster.isPrimary) return servePrimary(settings)
  const server = await startServer(settings)
  if (cluster.isPrimary) process.stdout.write(banner(settings, server.url))
  await untilStopped((limit) => server.drain(limit))
  return 0
}

/** Several processes share one port; the first one only looks after them. */
async function servePrimary(settings: Settings): Promise<number> {
  const workers = Array.from({ length: settings.workers }, () => cluster.fork())
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('listening', resolve))))
  process.stdout.write(banner(settings, `http://${settings.host}:${settings.port}`))
  process.stdout.write(`${settings.workers} workers\n`)
  let isStopping = false
  cluster.on('exit', () => {
    if (!isStopping) cluster.fork()
  })
  await untilStopped(async () => {
    isStopping = true
    const gone = Object.values(cluster.workers ?? {}).map(
      (worker) =>
        new Promise((resolve) => (worker === undefined ? resolve(undefined) : worker.once('exit', resolve))),
    )
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM')
    await Promise.all(gone)
  })
  return 0
}

/** Waits for a signal, then drains; a second signal ends at once. */
function untilStopped(drain: RunningServer['drain']): Promise<void> {
  return new Promise((resolve, reject) => {
    let isDraining = false
    const stop = (): void => {
      if (isDraining) process.exit(130)
      isDraining = true
      process.stderr.write('draining: streams may finish; a second signal ends at once\n')
      drain(DRAIN_LIMIT).then(resolve, reject)
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  })
}
