import { Buffer } from 'node:buffer'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { BodyCutter, type CutPiece, MIN_BLOB } from './body-cutter.ts'

function piecesOf(body: string): readonly CutPiece[] {
  const cutter = new BodyCutter(Buffer.from(body))
  const pieces: CutPiece[] = []
  while (!cutter.isDone) pieces.push(cutter.next())
  return pieces
}

function textsOf(pieces: readonly CutPiece[]): readonly string[] {
  return pieces.map(({ bytes }) => bytes.toString())
}

function listOf(lengths: readonly number[], member: string): object[] {
  return lengths.map((length, index) => ({ [member]: `${index}${'x'.repeat(length)}` }))
}

function bodyOf(messages: readonly number[], tools: readonly number[]): string {
  const lists = { messages: listOf(messages, 'content'), tools: listOf(tools, 'name') }
  return JSON.stringify({ ...lists, stream: true })
}

const lengths = fc.array(fc.nat(3000), { maxLength: 12 })

test('the pieces are the body, and none but the last of a list is small', () => {
  fc.assert(
    fc.property(lengths, lengths, (messages, tools) => {
      const body = bodyOf(messages, tools)
      const pieces = piecesOf(body)
      expect(textsOf(pieces).join('')).toBe(body)
      for (const { bytes, cut } of pieces) {
        if (cut === 'element') expect(bytes.length).toBeGreaterThanOrEqual(MIN_BLOB)
      }
      expect(pieces.at(-1)?.cut).toBe('body')
    }),
  )
})

test('one more turn changes the last piece of its list and no other', () => {
  const turns = [2500, 2600, 2700]
  const before = textsOf(piecesOf(bodyOf(turns, [2500, 2800])))
  const after = textsOf(piecesOf(bodyOf([...turns, 40], [2500, 2800])))
  expect(before.map((piece) => after.includes(piece))).toEqual([true, true, false, true, true, true])
})

test('a piece that comes again is taken where it was cut, and cuts nothing else', () => {
  fc.assert(
    fc.property(lengths, lengths, lengths, (messages, more, tools) => {
      const known = piecesOf(bodyOf(messages, tools))
      const longer = bodyOf([...messages, ...more], tools)
      const cutter = new BodyCutter(Buffer.from(longer))
      const pieces: CutPiece[] = []
      while (!cutter.isDone) pieces.push(known.find((piece) => cutter.takes(piece)) ?? cutter.next())
      expect(textsOf(pieces)).toEqual(textsOf(piecesOf(longer)))
    }),
  )
})

test('a piece that a body ended with is not taken in the midst of a longer one', () => {
  const [last] = piecesOf('{"a":1}')
  const cutter = new BodyCutter(Buffer.from('{"a":1}{"b":2}'))
  expect(last !== undefined && cutter.takes(last)).toBe(false)
  expect(cutter.next().bytes.toString()).toBe('{"a":1}{"b":2}')
})

test.each([
  ['input', 'tools'],
  ['contents', 'generationConfig'],
])('what follows a list of %s is found again when the list grows', (list, next) => {
  const rest = { [next]: [{ text: 'y'.repeat(3000) }] }
  const body = (turns: readonly number[]): string =>
    JSON.stringify({ [list]: listOf(turns, 'text'), ...rest })
  const [before, after] = [body([2500]), body([2500, 40])].map((each) => textsOf(piecesOf(each)))
  expect(after?.at(-1)).toBe(before?.at(-1))
})
