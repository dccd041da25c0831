import type { expect, onTestFinished, TestRunner } from 'vitest'

/** What is used of vitest. */
interface Vitest {
  readonly expect: typeof expect
  readonly onTestFinished: typeof onTestFinished
  /** Not in every version. */
  readonly TestRunner?: typeof TestRunner
}

/** The vitest of the project; one that is missing is a message that says what to install. */
export async function loadVitest(
  load: () => Promise<Partial<Vitest>> = () => import('vitest'),
): Promise<Vitest> {
  const found = await load().catch((thrown: unknown) => {
    throw new Error(
      '@hydra/tape/vitest needs vitest 3 or newer: npm install --save-dev vitest; for other test runners use @hydra/tape/test',
      { cause: thrown },
    )
  })
  return found as Vitest
}
