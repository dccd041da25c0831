import * as fc from 'fast-check'
import { TextRun } from '../../src/fast-text/text-run.ts'

/** A run of texts that stand in quotes, one behind the other. */
export function runOf(texts: readonly string[]): TextRun {
  const run = new TextRun()
  run.reset(new TextEncoder().encode(texts.map((text) => JSON.stringify(text)).join('')))
  for (let begin = 1; run.count < texts.length; run.add()) begin = run.endOfText(begin) + 2
  return run
}

/** A text that is the same in every JSON, but for the escapes that have one form only. */
export const simpleText: fc.Arbitrary<string> = fc
  .string({ unit: 'binary' })
  .map((text) => text.toWellFormed().replaceAll(/\p{Cc}/gu, '\n'))
