import { expect, test } from 'vitest'
import { streamFixtures } from './fixtures.ts'
import { readStream } from './grammar.ts'
import { chatTranslator, translate } from './translator.ts'
import { upstreamEndOf } from './upstream-end.ts'

const fixtures = streamFixtures()

test.for(fixtures)('$name, split at every byte, gives the same output', ({ bytes, setup }) => {
  const whole = translate(chatTranslator(setup), bytes)
  for (let at = 1; at < bytes.length; at += 1) {
    const split = translate(chatTranslator(setup), bytes.subarray(0, at), bytes.subarray(at))
    if (split !== whole) expect(split, `split after byte ${at}`).toBe(whole)
  }
})

test.for(fixtures)('$name, byte by byte, gives the same output', ({ bytes, setup }) => {
  const single = Array.from(bytes, (byte) => Uint8Array.of(byte))
  expect(translate(chatTranslator(setup), ...single)).toBe(translate(chatTranslator(setup), bytes))
})

test.for(fixtures)('$name, cut after any byte, never ends cleanly before its end', ({ bytes, setup }) => {
  const upstreamEnd = upstreamEndOf(bytes)
  let checked = ''
  for (let length = 0; length < bytes.length; length += 1) {
    const output = translate(chatTranslator(setup), bytes.subarray(0, length))
    // Most cuts fall into the same event and give the same output.
    if (output === checked) continue
    checked = output
    const { error, end } = readStream(output)
    const isOurStop = end?.delta.stop_reason === 'stop_sequence'
    const isTooEarly = error === undefined && length < upstreamEnd && !isOurStop
    expect(isTooEarly, `a clean end after ${length} of ${bytes.length} bytes`).toBe(false)
  }
})
