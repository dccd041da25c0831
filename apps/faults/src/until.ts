import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until something holds; gives whether it did in time. */
export async function until(holds: () => boolean, milliseconds = 20_000): Promise<boolean> {
  const deadline = performance.now() + milliseconds
  while (!holds()) {
    if (performance.now() > deadline) return false
    // oxlint-disable-next-line no-await-in-loop -- polling
    await sleep(20)
  }
  return true
}

/** Does something so many times, so many at once. */
export async function inParallel<Result>(
  count: number,
  atOnce: number,
  work: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) {
      const index = next
      next += 1
      // oxlint-disable-next-line no-await-in-loop -- one after the other, in each of many lines
      results[index] = await work(index)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker))
  return results
}
