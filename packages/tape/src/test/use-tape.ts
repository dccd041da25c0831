import { relative } from 'node:path'
import {
  openTestTape,
  type OpenTestTape,
  type TestEnd,
  type TestTape,
  type TestTapeOptions,
} from './open-test-tape.ts'
import { exactPattern, shellWord } from './shell-word.ts'

/** What a tape needs of a test: the context of `node:test`, or the same by hand for another runner. */
export interface TestContext {
  readonly name: string
  /** With the names of what it is in. */
  readonly fullName?: string
  readonly filePath?: string | undefined
  /** Whether the test has passed; undefined where that is not known. */
  readonly passed?: boolean
  /** The command that runs the test, for runners other than `node:test`; HYDRA_TAPE=record is put before it. */
  readonly command?: string
  after(act: () => Promise<void>): void
  /** Prints a message beside the result of the test. */
  diagnostic?(message: string): void
}

let count = 0
const ids = new WeakMap<TestContext, string>()

/**
 * The tape of a test, for `node:test` and other runners: recorded in the first run, replayed from then on. When the
 * test is over, `after` closes it, and fails a test that did not use it as it was recorded.
 */
export async function useTape(
  context: TestContext,
  options: string | TestTapeOptions = {},
): Promise<TestTape> {
  const { name, fullName = name, filePath } = checked(context)
  const tape: OpenTestTape = await openTestTape(
    {
      file: filePath,
      test: fullName,
      id: idOf(context),
      command: `HYDRA_TAPE=record ${context.command ?? nodeCommand(fullName, filePath)}`,
    },
    typeof options === 'string' ? { name: options } : options,
  )
  context.after(async () => {
    const hasFailed = context.passed === false
    const stale = hasFailed ? tape.stale() : undefined
    // A test fails with its first error only, which is what its client made of the miss.
    if (stale !== undefined) context.diagnostic?.(stale.message)
    await tape.close(endOf(context))
  })
  return tape
}

/** The context, if it is one: where there are no types, `useTape()` is what one types for vitest. */
function checked(context: unknown): TestContext & { readonly filePath: string } {
  const { filePath } = Object(context) as Partial<TestContext>
  if (typeof filePath === 'string') return context as TestContext & { readonly filePath: string }
  throw new Error(
    'useTape: expected the context of the test first, with its name and filePath: in node:test useTape(t) of ' +
      'test(…, (t) => …); in vitest import it from @hydra/tape/vitest',
  )
}

function endOf({ passed }: TestContext): TestEnd {
  if (passed === undefined) return 'unknown'
  return passed ? 'passed' : 'failed'
}

function nodeCommand(fullName: string, filePath: string): string {
  const pattern = shellWord(exactPattern(fullName.replaceAll(' > ', ' ')))
  return `node --test --test-name-pattern=${pattern} ${shellWord(relative(process.cwd(), filePath))}`
}

function idOf(context: TestContext): string {
  const known = ids.get(context)
  if (known !== undefined) return known
  count += 1
  ids.set(context, `context ${count}`)
  return `context ${count}`
}
