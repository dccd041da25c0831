import { relative } from 'node:path'
import {
  openTestTape,
  type RunningTest,
  type TestTape,
  type TestTapeOptions,
} from '../test/open-test-tape.ts'
import { exactPattern, shellWord } from '../test/shell-word.ts'
import { loadVitest } from './load-vitest.ts'

const { expect, onTestFinished, TestRunner } = await loadVitest()

/**
 * The tape of the test that runs: recorded in its first run, replayed from then on. Ends with the test, and fails it if
 * it did not use the tape as it was recorded.
 */
export async function useTape(options: string | TestTapeOptions = {}): Promise<TestTape> {
  const tape = await openTestTape(runningTest(), typeof options === 'string' ? { name: options } : options)
  onTestFinished(async ({ task: { result } }) => {
    const stale = tape.stale()
    const hasFailed = result?.state === 'fail'
    // What the test failed with is what its client made of the miss, with all that the client knows of it.
    if (stale !== undefined && hasFailed) {
      const { name, message, stack = '' } = stale
      result.errors?.splice(0, Infinity, { name, message, stack })
    }
    await tape.close(hasFailed ? 'failed' : 'passed')
  })
  return tape
}

function runningTest(): RunningTest {
  const { testPath, currentTestName } = expect.getState()
  if (testPath === undefined || currentTestName === undefined) {
    throw new Error('useTape: expected to be called within a test')
  }
  const file = shellWord(relative(process.cwd(), testPath))
  // What stands between the names of suites and tests is ' > ' here, and for the option only since vitest 5.
  const pattern = shellWord(exactPattern(currentTestName).replaceAll(' > ', '( >)? '))
  return {
    file: testPath,
    test: currentTestName,
    id: TestRunner?.getCurrentTest()?.id ?? currentTestName,
    command: `HYDRA_TAPE=record npx vitest run ${file} -t ${pattern}`,
  }
}
