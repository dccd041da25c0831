import { expect, test } from 'vitest'
import { type TestContext, useTape } from './use-tape.ts'

test.each([[undefined], ['a name'], [{ name: 'a test' }]])(
  '%j is no context of a test, and it is said where that is to be had',
  async (context) => {
    await expect(useTape(context as unknown as TestContext)).rejects.toThrow(
      'useTape: expected the context of the test first, with its name and filePath: in node:test useTape(t)',
    )
  },
)
