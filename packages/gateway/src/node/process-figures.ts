import { readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { MetricFamily, NumberFamily } from '../metrics/family.ts'

const NANOSECONDS = 1e9
const MICROSECONDS = 1e6

/** Figures of this process under the names that Prometheus's own clients have for them. */
export function processFigures(version: string): () => readonly MetricFamily[] {
  const delay = monitorEventLoopDelay()
  delay.enable()
  const started = Date.now() / 1000 - process.uptime()
  return () => {
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
    const p99 = delay.percentile(99) / NANOSECONDS
    delay.reset()
    return [
      counter('process_cpu_seconds_total', 'Processor time, in seconds.', (user + system) / MICROSECONDS),
      gauge('process_resident_memory_bytes', 'Resident memory.', rss),
      gauge('process_start_time_seconds', 'When the process started, since 1970.', started),
      gauge('process_open_fds', 'Open file descriptors.', openFiles()),
      gauge('nodejs_heap_size_used_bytes', 'Used heap of V8.', heapUsed),
      gauge('nodejs_heap_size_total_bytes', 'Heap of V8.', heapTotal),
      gauge('nodejs_external_memory_bytes', 'Memory outside of the heap.', external),
      gauge('nodejs_eventloop_lag_p99_seconds', 'Lag of the event loop since the last look.', p99 || 0),
      info(version),
    ].filter(({ samples }) => samples.every(({ value }) => !Number.isNaN(value)))
  }
}

/** Only Linux has a place to look; elsewhere there is no figure. */
function openFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return Number.NaN
  }
}

function gauge(name: string, help: string, value: number): NumberFamily {
  return { type: 'gauge', name, help, isPerProcess: true, samples: [{ labels: {}, value }] }
}

function counter(name: string, help: string, value: number): NumberFamily {
  return { ...gauge(name, help, value), type: 'counter' }
}

function info(version: string): NumberFamily {
  const labels = { version, node: process.version }
  const help = 'The versions of this process, always 1.'
  return { ...gauge('hydra_build_info', help, 1), samples: [{ labels, value: 1 }] }
}
