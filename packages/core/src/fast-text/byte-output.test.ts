import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { runOf, simpleText } from '../../test/streams/run-of.ts'
import { ByteOutput } from './byte-output.ts'
import { TextRun } from './text-run.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

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
  expect(texts.map((_, index) => run.unescapedAt(index))).toEqual(texts)
  expect(run.unescaped).toBe(texts.join(''))
  expect(run.escaped).toBe(JSON.stringify(texts.join('')).slice(1, -1))
  expect(run.length).toBe(texts.join('').length)
})

test('a run is plain where nothing in it is escaped', () => {
  expect(runOf(['größer', 'plain']).isPlain).toBe(true)
  expect(runOf(['plain', 'a\n']).isPlain).toBe(false)
})

test('texts of any length and kind are what they were', () => {
  const texts = fc.array(simpleText, { minLength: 1 })
  fc.assert(
    fc.property(texts, (list) => {
      const run = runOf(list)
      expect(list.map((_, index) => run.unescapedAt(index))).toEqual(list)
      expect(run.unescaped).toBe(list.join(''))
    }),
  )
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
  run.endOfText(0)
  run.add()
  expect(run.isSound(0, bytes.length)).toBe(false)
})
