import { afterAll } from 'vitest'

interface Closable {
  close(): Promise<void>
}

/** Closes after the tests of a file what they have opened; the last opened first. */
export function closing(): <Opened extends Closable>(opened: Promise<Opened>) => Promise<Opened> {
  const open: Closable[] = []
  afterAll(async () => {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const closable of open.toReversed()) await closable.close()
  })
  return async (opened) => {
    const closable = await opened
    open.push(closable)
    return closable
  }
}
