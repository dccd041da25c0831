import { expect, test } from 'vitest'
import { isLasting, markLasting } from '../../memo/lasting.ts'
import { plainCall } from '../plain-call.ts'
import { openaiResponses } from './index.ts'

const TOOLS = [
  { type: 'function', name: 'Read', description: 'Reads.', parameters: { type: 'object' }, strict: true },
  { type: 'function', name: 'List' },
]

function decode(tools: unknown): readonly unknown[] {
  const { request } = openaiResponses.client.decodeRequest(plainCall({ model: 'm', input: 'Hello.', tools }))
  return request.tools ?? []
}

function names(tools: unknown): unknown[] {
  return decode(tools).map((tool) => (tool as { name: string }).name)
}

test('functions that come with every request become the same tools each time', () => {
  const lasting = markLasting(structuredClone(TOOLS))
  const first = decode(lasting)
  expect(first).toEqual(decode(TOOLS))
  expect(decode(lasting).every((tool, index) => tool === first[index] && isLasting(tool))).toBe(true)
})

test('a function with another name, because it is in a namespace, is another tool', () => {
  const [read] = markLasting(structuredClone(TOOLS))
  const spaced = [{ type: 'namespace', name: 'files', tools: [read] }]
  const before = names([read])
  expect(names(spaced)).not.toEqual(before)
  expect(names([read])).toEqual(before)
})
