import { expect, test } from 'vitest'
import { Notes } from '../../hub/note.ts'
import { isLasting, markLasting } from '../../memo/lasting.ts'
import { decodeTools } from './decode-tools.ts'
import { Fields } from './fields.ts'

const DECLARATIONS = [
  { name: 'Read', description: 'Reads.', parameters: { type: 'OBJECT' }, unheardOf: 1 },
  { name: 'List' },
]

function decode(declarations: unknown): { tools: readonly unknown[]; notes: readonly unknown[] } {
  const notes = new Notes()
  const body = new Fields({ tools: [{ functionDeclarations: declarations }] }, '')
  const { fields } = decodeTools(body, notes)
  return { tools: fields.tools ?? [], notes: notes.list }
}

test('declarations that come with every request become the same tools each time, with the same notes', () => {
  const lasting = markLasting(structuredClone(DECLARATIONS))
  const first = decode(lasting)
  const second = decode(lasting)
  expect(first).toEqual(decode(DECLARATIONS))
  expect(second).toEqual(first)
  expect(second.notes).toHaveLength(1)
  expect(second.tools.every((tool, index) => tool === first.tools[index] && isLasting(tool))).toBe(true)
})

test('a lasting declaration that is refused is refused each time', () => {
  const lasting = markLasting([{ name: 'Read', parameters: 3 }])
  for (const _ of [1, 2]) expect(() => decode(lasting)).toThrow('tools[0].functionDeclarations[0]')
})
