import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteOutput } from './byte-output.ts'
import { TextRun } from './text-run.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** A run of texts that stand in quotes, one behind the other. */
function runOf(texts: readonly string[]): TextRun {
  const bytes = encode(texts.map((text) => JSON.stringify(text)).join(''))
  const run = new TextRun()
  run.reset(bytes)
  for (let begin = 1; run.count < texts.length;) {
    const end = run.endOfText(begin)
    run.add(begin, end)
    begin = end + 2
  }
  return run
}

const FRAME = { prefix: encode('<'), between: encode('><'), suffix: encode('>') }

test('texts and runs come out in the order in which they were written, however long they are', () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', '"', '\n', 'ü', '→', '🎉'), minLength: 1 }),
    fc.constant('long '.repeat(400)),
  )
  const piece = fc.oneof(text, fc.array(text, { minLength: 1 }))
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const output = new ByteOutput()
      let expected = ''
      for (const one of pieces) {
        if (typeof one === 'string') {
          output.text(one)
          expected += one
        } else {
          output.run('before ', runOf(one), FRAME)
          expected += 'before ' + one.map((each) => `<${JSON.stringify(each).slice(1, -1)}>`).join('')
        }
      }
      expect(decode(output.take())).toBe(expected)
    }),
  )
})

test('a run knows its texts and how long they are', () => {
  const texts = ['größer → 🎉', 'a "b"\n\\', '', 'x'.repeat(100)]
  const run = runOf(texts)
  expect(texts.map((_, index) => JSON.parse(`"${run.textAt(index)}"`) as string)).toEqual(texts)
  expect(run.length).toBe(texts.join('').length)
})

test('a text that is not complete, or written otherwise than we would, has no end', () => {
  for (const text of ['open', String.raw`a\u00e9"`, String.raw`a\/"`, 'a\nb"', String.raw`a\"`, 'a\\']) {
    const run = new TextRun()
    run.reset(encode(text))
    expect(run.endOfText(0)).toBe(-1)
  }
})

test('bytes that are no UTF-8 are not sound', () => {
  const run = new TextRun()
  const bytes = Uint8Array.of(0x61, 0xff, 0x22)
  run.reset(bytes)
  run.add(0, run.endOfText(0))
  expect(run.isSound(0, bytes.length)).toBe(false)
})
