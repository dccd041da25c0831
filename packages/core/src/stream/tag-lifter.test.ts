import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { TagLifter } from './tag-lifter.ts'

function lifted(pieces: readonly string[]): { thinking: string; text: string } {
  const result = { thinking: '', text: '' }
  const lifter = new TagLifter('think', {
    text: (piece) => {
      result.text += piece
    },
    thinking: (piece) => {
      expect(result.text.trim(), 'thinking comes before the text').toBe('')
      result.thinking += piece
    },
  })
  for (const piece of pieces) lifter.push(piece)
  lifter.flush()
  return result
}

/** What the whole text is: thinking between the tags at its beginning, and the rest. */
function reference(text: string): { thinking: string; text: string } {
  const match = /^\s*<think>(.*?)(?:<\/think>(.*))?$/s.exec(text)
  if (match === null) return { thinking: '', text }
  return { thinking: match[1] ?? '', text: match[2] ?? '' }
}

test('thinking in front of the text is lifted', () => {
  expect(lifted(['<think>Hm</think>So'])).toEqual({ thinking: 'Hm', text: 'So' })
})

test('a text that only begins like a tag is text', () => {
  expect(lifted(['<thi', 'nk'])).toEqual({ thinking: '', text: '<think' })
  expect(lifted(['<thin', 'ner>'])).toEqual({ thinking: '', text: '<thinner>' })
})

test('any pieces give what the whole text gives', () => {
  const token = fc.constantFrom(
    '<think>',
    '</think>',
    '<',
    '<th',
    'ink>',
    '</',
    'think>',
    ' ',
    '\n',
    'a',
    '😀',
  )
  fc.assert(
    fc.property(fc.array(token, { maxLength: 10 }), (pieces) => {
      expect(lifted(pieces)).toEqual(reference(pieces.join('')))
      expect(lifted(Array.from(pieces.join('')))).toEqual(reference(pieces.join('')))
    }),
    { numRuns: 1000 },
  )
})
