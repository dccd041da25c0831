import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventLines } from './event-lines.ts'
import { Piece } from './piece.ts'

/** Which bytes of a body are texts, and of which path, when it comes in these pieces. */
function textsOf(pieces: readonly string[]): readonly string[] {
  const found: string[] = []
  let path = ''
  let passed = 0
  const lines = new EventLines({
    openText: (next, ids) => void (path = `${next} ${ids}`),
    text: (from, to) => {
      for (let at = from; at < to; at += 1) found.push(`${passed + at} ${path}`)
    },
    skip: () => undefined,
  })
  for (const piece of pieces) {
    lines.scan(new Piece(piece), 0)
    passed += piece.length
  }
  return found
}

const LINE = fc.constantFrom(
  'data: {"index":0,"text":"a"}\n\n',
  'data: {"index":0,"text":"b c"}\n\n',
  String.raw`data: {"index":0,"text":"b\"c\\"}` + '\n\n',
  'data: {"index":0,"text":""}\n\n',
  'data: {"index":1,"text":"a"}\n\n',
  // Events of two lines, and one with a string that is not closed.
  'data: {"index":0,"text":"a"}\ndata: {"index":0,"text":"b"}\n\n',
  'data: {"index":0,"text":"a\n\n',
  'data: {"index":0,"text":"a"}\ndata: no "json"\n\n',
  '"}\n',
  'data: {"index":0,"text":"a","more":"b"}\n\n',
  'event: text\n',
  '\n',
)

test('lines that are compared with the one before have the same texts as lines that come byte by byte', () => {
  fc.assert(
    fc.property(fc.array(LINE, { maxLength: 12 }), (lines) => {
      const body = lines.join('')
      // A line that does not come whole is never compared.
      const expected = textsOf(body.split(''))
      expect(textsOf([body])).toEqual(expected)
      expect(textsOf(lines)).toEqual(expected)
    }),
    { numRuns: 2000 },
  )
})
