import { expect, test } from 'vitest'
import { golden, streamFixtures } from './fixtures.ts'
import { readStream } from './grammar.ts'
import { chatCollector, chatTranslator, translate } from './translator.ts'

const fixtures = streamFixtures()

test.for(fixtures)('$name becomes its golden', ({ name, bytes, setup }) => {
  const translator = chatTranslator(setup)
  const sse = translate(translator, bytes)
  const collector = chatCollector(setup)
  collector.push(bytes)
  collector.end()
  const { failure, started, notes } = translator
  const error = failure && { kind: failure.kind, status: failure.status, message: failure.message, started }
  const json = JSON.stringify({ message: collector.message, error, notes }, null, 2)
  const expected = golden(name, { sse, json: `${json}\n` })
  expect(sse).toBe(expected.sse)
  expect(`${json}\n`).toBe(expected.json)
  expect(collector.notes).toEqual(notes)
  expect(collector.failure).toEqual(failure)
})

test.for(fixtures)('$name obeys the grammar', ({ bytes, setup }) => {
  const translator = chatTranslator(setup)
  const { end, error } = readStream(translate(translator, bytes))
  expect(error === undefined).toBe(end !== undefined)
  expect(error === undefined).toBe(translator.failure === undefined)
  expect(translator.ended).toBe(true)
  if (end === undefined) return
  // Anthropic's own answers may lack these; those that we make do not.
  const { stop_reason: reason, stop_sequence: sequence, stop_details: details } = end.delta
  expect([reason === 'stop_sequence', reason === 'refusal']).toEqual([sequence !== null, details !== null])
})
