import cluster from 'node:cluster'
import { formatMetrics, mergeMetrics, type MetricFamily, type Metrics } from '@hydra/gateway/metrics'
import { type Gathered, Gatherer, offer } from './gather.ts'

const TOPIC = 'metrics'

/** In a worker: the figures of all workers in Prometheus's text format. */
export function gatheredMetrics(own: Metrics): () => Promise<string> {
  const askAll = offer(TOPIC, () => own.families())
  return async () => formatMetrics(mergeMetrics((await askAll()).map(familiesOf)))
}

/** In the first process: lets workers ask one another, and keeps the sums of those that have ended. */
export function gatherForWorkers(): void {
  const last = new Map<string, readonly MetricFamily[]>()
  let ended: readonly MetricFamily[] = []
  cluster.on('exit', ({ id }) => {
    const own = (last.get(String(id)) ?? []).filter(outlivesItsProcess)
    ended = mergeMetrics([
      { worker: 'ended', families: ended },
      { worker: 'ended', families: own },
    ])
    last.delete(String(id))
  })
  const completed = (topic: string, gathered: readonly Gathered[]): readonly Gathered[] => {
    if (topic !== TOPIC) return gathered
    for (const { worker, families } of gathered.map(familiesOf)) last.set(worker, families)
    // One that is too busy to answer counts with what it said last, or the sums would go down.
    const living = [...last].map(([worker, value]) => ({ worker, value }))
    return [{ worker: 'ended', value: ended }, ...living]
  }
  // It lives as long as the process does.
  void new Gatherer(completed)
}

function familiesOf({ worker, value }: Gathered): { worker: string; families: readonly MetricFamily[] } {
  return { worker, families: value as readonly MetricFamily[] }
}

/** Sums go on when their process ends, or they would go down; how much memory it had is of no interest any more. */
function outlivesItsProcess({ type, isPerProcess }: MetricFamily): boolean {
  return type !== 'gauge' && isPerProcess !== true
}
