import { expect, test } from 'vitest'
import { Notes } from './note.ts'

test('one note per code and path is kept, and the first one counts', () => {
  const notes = new Notes()
  notes.add('dropped', 'a', 'first')
  notes.add('dropped', 'a', 'second')
  notes.add('dropped', 'b', 'elsewhere')
  expect(notes.list).toEqual([
    { code: 'dropped', path: 'a', message: 'first' },
    { code: 'dropped', path: 'b', message: 'elsewhere' },
  ])
})

test('a note that stands for all of its kind is taken once', () => {
  const notes = new Notes()
  notes.addOnce('mark', 'a', 'first')
  notes.addOnce('mark', 'b', 'second')
  expect(notes.list).toEqual([{ code: 'mark', path: 'a', message: 'first' }])
})

test('notes come to an end, and say so', () => {
  const notes = new Notes()
  for (let index = 0; index < 5000; index += 1) notes.add('unknown', `field_${index}`, 'left out')
  expect(notes.list).toHaveLength(1001)
  expect(notes.list.at(-1)).toEqual({ code: 'notes_cut', path: '', message: 'there were more notes' })
})

test('secrets are taken out before a note is cut, and a field’s name of any length is', () => {
  const notes = new Notes((text) => text.replaceAll('SECRET', '[redacted]'))
  notes.add('dropped', `${'x'.repeat(297)}SECRET${'y'.repeat(1_000_000)}`, `${'m'.repeat(997)}SECRET`)
  const [note] = notes.list
  expect(note?.path).toBe(`${'x'.repeat(297)}[re…`)
  expect(note?.message).toBe(`${'m'.repeat(997)}[re…`)
})
