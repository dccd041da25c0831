import { expect, test } from 'vitest'
import { Continuations } from './continuation.ts'

const ASKED = { role: 'user', content: 'one' }
const MORE = [ASKED, { role: 'assistant', content: 'two' }, { role: 'user', content: 'three' }]

test('a request goes on with the last one that began like it', () => {
  const known = new Continuations()
  known.add(1, { messages: [ASKED] })
  known.add(2, { messages: [ASKED] })
  expect(known.add(3, { messages: MORE })).toMatchObject({ exchange: 2, messages: 1 })
})

test('a request that is sent once more repeats its equal, not what went on with it', () => {
  const known = new Continuations()
  known.add(1, { messages: [ASKED] })
  known.add(2, { messages: MORE })
  expect(known.add(3, { messages: [ASKED] })).toMatchObject({ exchange: 1, messages: 1 })
})

test('requests without messages have nothing to do with each other', () => {
  const known = new Continuations()
  known.add(1, {})
  expect(known.add(2, {})).toBeUndefined()
})
