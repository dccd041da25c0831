import { expect, test } from 'vitest'
import { BlockCollector } from './block-collector.ts'

const THINKING = { type: 'thinking' } as const
const TEXT = { type: 'text' } as const

test('blocks are kept with their deltas, an open one as far as it came', () => {
  const collector = new BlockCollector()
  expect(collector.hasBlocks).toBe(false)
  collector.blockStart(THINKING)
  collector.thinking('so ')
  collector.thinking('it is')
  collector.signature('proof')
  collector.blockStop()
  collector.blockStart(TEXT)
  collector.text('Yes')
  expect(collector.blocks).toEqual([
    { head: THINKING, content: 'so it is', signature: 'proof', extras: [], isComplete: true },
    { head: TEXT, content: 'Yes', signature: undefined, extras: [], isComplete: false },
  ])
})

test('what is longer than may be kept is left out, over all blocks together', () => {
  const collector = new BlockCollector({ maxLength: 5 })
  for (const text of ['abc', 'def', 'ghi']) {
    collector.blockStart(TEXT)
    collector.text(text)
    collector.blockStop()
  }
  expect(collector.blocks.map(({ content }) => content)).toEqual(['abc', 'de', ''])
})
