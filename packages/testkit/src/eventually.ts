import { setTimeout as sleep } from 'node:timers/promises'

/** How long anything is waited for: far more than it takes on a busy machine. */
const LIMIT = 10_000

const INTERVAL = 5

/** Polls until there is a value that is neither undefined nor false. */
export async function eventually<Value>(look: () => Value | undefined | false, what: string): Promise<Value> {
  const deadline = performance.now() + LIMIT
  for (;;) {
    const value = look()
    if (value !== undefined && value !== false) return value
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`)
    // oxlint-disable-next-line no-await-in-loop -- polling
    await sleep(INTERVAL)
  }
}

/** Waits for a promise, but not for ever. */
export async function within<Value>(promise: Promise<Value>, what: string): Promise<Value> {
  const stop = new AbortController()
  const limit = sleep(LIMIT, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`waited in vain for ${what}`)
  })
  // Stopping the clock rejects it, which is of no interest once there is a result.
  limit.catch(() => {})
  try {
    return await Promise.race([promise, limit])
  } finally {
    stop.abort()
  }
}

/** Waits until a number has stopped growing for a while. */
export async function settled(read: () => number): Promise<number> {
  let last = read()
  let calm = 0
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- polling
    await sleep(50)
    const now = read()
    calm = now === last ? calm + 1 : 0
    last = now
    if (calm === 8) return now
  }
}
