import { expect, test } from 'vitest'
import { golden } from '../streams/fixtures.ts'
import { readStream } from '../streams/grammar.ts'
import { translate } from '../streams/translator.ts'
import { FOLDER, geminiCollector, geminiFixtures, geminiTranslator } from './translator.ts'

const fixtures = geminiFixtures()

test.for(fixtures)('$name becomes its golden', ({ name, bytes, setup }) => {
  const translator = geminiTranslator(setup)
  const sse = translate(translator, bytes)
  const collector = geminiCollector(setup)
  collector.push(bytes)
  collector.end()
  const { failure, started, notes } = translator
  const error = failure && {
    kind: failure.kind,
    status: failure.status,
    message: failure.message,
    retryAfter: failure.retryAfter,
    started,
  }
  const json = JSON.stringify({ message: collector.message, error, notes }, null, 2)
  const expected = golden(FOLDER + name, { sse, json: `${json}\n` })
  expect(sse).toBe(expected.sse)
  expect(`${json}\n`).toBe(expected.json)
  expect(collector.notes).toEqual(notes)
  expect(collector.failure).toEqual(failure)
})

test.for(fixtures)('$name obeys the grammar', ({ bytes, setup }) => {
  const translator = geminiTranslator(setup)
  const { end, error } = readStream(translate(translator, bytes))
  expect(error === undefined).toBe(end !== undefined)
  expect(error === undefined).toBe(translator.failure === undefined)
})

test.for(fixtures)('$name, split at every byte, gives the same output', ({ bytes, setup }) => {
  const whole = translate(geminiTranslator(setup), bytes)
  for (let at = 1; at < bytes.length; at += 1) {
    const split = translate(geminiTranslator(setup), bytes.subarray(0, at), bytes.subarray(at))
    if (split !== whole) expect(split, `split after byte ${at}`).toBe(whole)
  }
  const single = Array.from(bytes, (byte) => Uint8Array.of(byte))
  expect(translate(geminiTranslator(setup), ...single)).toBe(whole)
})

const FINISH = /"(?:finishReason|blockReason)":/

test.for(fixtures)('$name, cut after any byte, never ends cleanly before its end', ({ bytes, setup }) => {
  const text = new TextDecoder().decode(bytes)
  let checked = ''
  for (let length = 0; length < bytes.length; length += 1) {
    const output = translate(geminiTranslator(setup), bytes.subarray(0, length))
    if (output === checked) continue
    checked = output
    const { end, error } = readStream(output)
    if (error !== undefined || end?.delta.stop_reason === 'stop_sequence') continue
    expect(FINISH.test(text.slice(0, length)), `a clean end after ${length} bytes`).toBe(true)
  }
})
