import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DiffLine, diffLines } from './diff-lines.ts'

const LINES = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 })

function side(lines: readonly DiffLine[], left: '-' | '+'): string[] {
  return lines.filter(({ kind }) => kind === ' ' || kind === left).map(({ text }) => text)
}

test('a diff holds both sides whole and in order', () => {
  fc.assert(
    fc.property(LINES, LINES, (expected, actual) => {
      const lines = diffLines(expected, actual)
      expect(side(lines, '-')).toEqual(expected)
      expect(side(lines, '+')).toEqual(actual)
    }),
  )
})

test('what is equal is not told as a difference', () => {
  fc.assert(
    fc.property(LINES, (lines) => {
      expect(diffLines(lines, lines).every(({ kind }) => kind === ' ')).toBe(true)
    }),
  )
})

test('a line in the middle that changed is one line out and one line in', () => {
  expect(diffLines(['a', 'b', 'c'], ['a', 'x', 'c'])).toEqual([
    { kind: ' ', text: 'a', number: 1 },
    { kind: '-', text: 'b', number: 2 },
    { kind: '+', text: 'x', number: 2 },
    { kind: ' ', text: 'c', number: 3 },
  ])
})

function long(letter: string): string[] {
  return ['same', ...Array.from({ length: 3000 }, (_, index) => letter + index)]
}

test('lists too long to be compared one by one are replaced between the ends that agree', () => {
  const lines = diffLines(long('a'), long('b'))
  expect(side(lines, '-')).toEqual(long('a'))
  expect(side(lines, '+')).toEqual(long('b'))
  expect(lines[0]).toEqual({ kind: ' ', text: 'same', number: 1 })
})
