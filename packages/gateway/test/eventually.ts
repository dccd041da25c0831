import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'

/** Waits until something holds; the limit is generous, because it is only reached when it never does. */
export async function eventually(holds: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`expected in time: ${what}`)
    // oxlint-disable-next-line no-await-in-loop
    await sleep(5)
  }
}

/** What a promise brings, unless it takes for ever. */
export async function inTime<Value>(promise: Promise<Value>, what: string): Promise<Value> {
  const stop = new AbortController()
  const limit = sleep(10_000, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`expected in time: ${what}`)
  })
  limit.catch(() => {})
  try {
    return await Promise.race([promise, limit])
  } finally {
    stop.abort()
  }
}

interface Closable {
  close(): Promise<void>
}

/** Closes after each test what it has opened; the last opened first. */
export function closing(): <Opened extends Closable>(opened: Promise<Opened>) => Promise<Opened> {
  const open: Closable[] = []
  afterEach(async () => {
    // oxlint-disable-next-line no-await-in-loop
    for (const closable of open.splice(0).toReversed()) await closable.close()
  })
  return async (opened) => {
    const closable = await opened
    open.push(closable)
    return closable
  }
}

/** Fails the file if anything in it leaves a rejection or an exception that nobody has handled. */
export function expectNothingUnhandled(): void {
  const unhandled: unknown[] = []
  const note = (reason: unknown): void => void unhandled.push(reason)
  beforeAll(() => {
    process.on('unhandledRejection', note)
    process.on('uncaughtException', note)
  })
  afterAll(async () => {
    await sleep(20)
    process.off('unhandledRejection', note)
    process.off('uncaughtException', note)
    expect(unhandled).toEqual([])
  })
}
