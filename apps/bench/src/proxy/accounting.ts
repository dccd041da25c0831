/** What a process says of itself when it is asked over its channel. */
export interface Account {
  /** User and system time of all threads, in microseconds. */
  readonly cpu: number
  readonly rss: number
  /** After a collection, if the process can be told to collect. */
  readonly heap: number
}

// Loaded into the processes that are measured with `--import`, so that they run otherwise unchanged.
process.on('message', (message) => {
  if (message !== 'account') return
  // The collection is for the heap's figure; what it costs is no part of the work.
  const { user, system } = process.cpuUsage()
  globalThis.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  process.send?.({ cpu: user + system, rss, heap: heapUsed } satisfies Account)
})
process.channel?.unref()
