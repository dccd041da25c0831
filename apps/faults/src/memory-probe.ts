/** What a proxy holds that cannot be collected, in bytes. */
export interface Held {
  readonly held: number
}

/**
 * Preloaded into the proxy. How much memory a process has depends on when it last collected, and on what else the
 * machine does; what is left after a collection does not, and only that can be leaked.
 */
process.on('message', () => {
  globalThis.gc?.()
  // What was freed by the first collection may let go of more.
  setImmediate(() => {
    globalThis.gc?.()
    const { heapUsed, external } = process.memoryUsage()
    process.send?.({ held: heapUsed + external } satisfies Held)
  })
})

// Who is stopped in the middle of a run leaves no proxies behind.
process.on('disconnect', () => process.exit())
