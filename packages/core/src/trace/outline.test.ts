import { expect, test } from 'vitest'
import { countTypes, outlineMessages } from './outline.ts'

test('types are counted', () => {
  expect(countTypes(['text', 'image', 'text'])).toEqual({ text: 2, image: 1 })
  expect(countTypes([])).toEqual({})
})

test('a string is one text, an empty or missing content is nothing', () => {
  const outlines = outlineMessages([
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: '' },
    { role: 'system', output_config: { effort: 'low' } },
  ])
  expect(outlines.map(({ index, role, blocks }) => [index, role, blocks])).toEqual([
    [0, 'user', { text: 1 }],
    [1, 'assistant', {}],
    [2, 'system', {}],
  ])
})
