import { setTimeout as sleep } from 'node:timers/promises'

type Found<Value> = Value | undefined | false

/** Polls until there is a value that is neither undefined nor false. */
export async function eventually<Value>(
  look: () => Found<Value> | Promise<Found<Value>>,
  what: string,
): Promise<Value> {
  const deadline = performance.now() + 20_000
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- polling
    const value = await look()
    if (value !== undefined && value !== false) return value
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`)
    // oxlint-disable-next-line no-await-in-loop -- polling
    await sleep(5)
  }
}
