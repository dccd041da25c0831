import { describe, expect, test } from 'vitest'
import { meantOutline, toldOutline } from './expected-told.ts'
import { type MeantAnswer, pickFrom } from './meant-answer.ts'
import { PAIRS, translate } from './pair.ts'

/** Something of everything, with characters of up to four bytes and JSON inside of JSON. */
const ANSWER: MeantAnswer = {
  blocks: [
    { type: 'thinking', pieces: ['Hm, ', 'so'], proof: 'cHJvb2Y=' },
    { type: 'text', pieces: ['Grüße ', '😀\n"x"'], proof: '' },
    { type: 'tool_use', id: 'call_0', name: 'Read', input: { file_path: 'a"b\\😀' } },
    { type: 'tool_use', id: 'call_1', name: 'Bash', input: {} },
  ],
  stop: 'end',
}

/** Each upstream words it in one of its ways; the properties try the others. */
const WORDING = [1, 2, 3, 5, 4, 1, 2]

describe.each(PAIRS)('$name', (pair) => {
  const { reader, writer } = pair
  const { bytes, end, says } = writer.write(ANSWER, pickFrom(WORDING))
  const whole = translate(pair, bytes)

  test('the answer is told as it was meant', () => {
    expect(toldOutline(reader.read(whole), pair)).toEqual(meantOutline(says, pair))
  })

  test('split at every byte it gives the same bytes', () => {
    for (let at = 1; at < bytes.length; at += 1) {
      const split = translate(pair, bytes.subarray(0, at), bytes.subarray(at))
      if (split !== whole) expect(split, `split after byte ${at}`).toBe(whole)
    }
  })

  test('byte by byte it gives the same bytes', () => {
    expect(translate(pair, ...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toBe(whole)
  })

  test('cut after any byte it ends in an error until its end has come', () => {
    let checked = ''
    for (let length = 0; length < bytes.length; length += 1) {
      const output = translate(pair, bytes.subarray(0, length))
      // Most cuts fall into the same event and give the same output.
      if (output === checked && length !== end) continue
      checked = output
      const isError = reader.read(output).error !== undefined
      expect(isError, `cut after byte ${length} of ${bytes.length}`).toBe(length < end)
    }
  })
})
