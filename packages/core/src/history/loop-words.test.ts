import { expect, test } from 'vitest'
import { LOOPING_SESSIONS } from '../../test/loops/looping-sessions.ts'
import { createLoopGuard, type LoopTrip } from './loop-guard.ts'
import { loopReminder, loopStopWords } from './loop-words.ts'

const guard = createLoopGuard({ mode: 'notify' })
const trips = Object.entries(LOOPING_SESSIONS).map(([name, { messages }]): [string, LoopTrip] => [
  name,
  guard.look(messages) as LoopTrip,
])

test.each(trips)('%s: both the model and the client are told what repeated and how often', (_name, trip) => {
  for (const words of [loopReminder(trip), loopStopWords(trip)]) {
    expect(words).toContain(trip.message)
    for (const call of trip.calls) expect(words).toContain(`- ${call}`)
  }
})

test('a model whose results are lost is told not to wait for them', () => {
  const trip = trips.find(([, { kind }]) => kind === 'lost_results')?.[1] as LoopTrip
  expect(loopReminder(trip)).toContain('Your calls are not being answered.')
})

test('a reminder is no word of the user, so it does not hide the loop from the next look', () => {
  const [, { messages }] = Object.entries(LOOPING_SESSIONS)[0] ?? ['', { messages: [] }]
  const reminder = loopReminder(guard.look(messages) as LoopTrip)
  expect(guard.look([...messages, { role: 'user', content: reminder }])).toMatchObject({ count: 5 })
})
