import { setTimeout as sleep } from 'node:timers/promises'

/** Polls until there is a value that is neither undefined nor false. */
export async function eventually<Value>(look: () => Value | undefined | false, what: string): Promise<Value> {
  const deadline = performance.now() + 20_000
  for (;;) {
    const value = look()
    if (value !== undefined && value !== false) return value
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`)
    // oxlint-disable-next-line no-await-in-loop -- polling
    await sleep(5)
  }
}
