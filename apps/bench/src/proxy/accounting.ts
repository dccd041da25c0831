import { getHeapSpaceStatistics } from 'node:v8'

/** What a process says of itself when it is asked over its channel. */
export interface Account {
  /** User and system time of all threads, in microseconds. */
  readonly cpu: number
  readonly rss: number
  readonly heap: number
  /** What of it is V8's young generation, as large as V8 makes it just now: up to its limit, or next to nothing. */
  readonly young: number
}

/** What a process can be asked for: its figures as they are, or after a collection. */
export type AccountQuestion = 'account' | 'account-collected'

// Loaded into the processes that are measured with `--import`, so that they run otherwise unchanged.
process.on('message', (message) => {
  if (message !== 'account' && message !== 'account-collected') return
  const { user, system } = process.cpuUsage()
  // Only for figures of memory: a forced collection throws away compiled code, and the next requests pay for it.
  if (message === 'account-collected') globalThis.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  process.send?.({ cpu: user + system, rss, heap: heapUsed, young: youngGeneration() } satisfies Account)
})
process.channel?.unref()
// Whoever measures may be ended in the middle; what it started must not go on for ever.
process.on('disconnect', () => process.exit())

function youngGeneration(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  return space?.physical_space_size ?? 0
}
