import { expect, test } from 'vitest'
import { geminiTranslator } from '../../../test/gemini/translator.ts'
import { toBytes, translate } from '../../../test/streams/translator.ts'

const ANSWER = '{"candidates":[{"content":{"parts":[{"text":"Hi."}]},"finishReason":"STOP"}]}'

test.each([
  ['events', `data: ${ANSWER}\n\n`],
  ['one document', ANSWER],
  ['an array', `[${ANSWER}]`],
])('a byte order mark before %s may be cut anywhere', (_form, text) => {
  const bytes = toBytes(`\uFEFF${text}`)
  const whole = translate(geminiTranslator(), bytes)
  expect(whole).toContain('"text":"Hi."')
  expect(whole).toContain('message_stop')
  for (let at = 1; at < 6; at += 1) {
    expect(translate(geminiTranslator(), bytes.subarray(0, at), bytes.subarray(at))).toBe(whole)
  }
})

test('blanks before an array mean nothing, and endless ones are read as events', () => {
  expect(translate(geminiTranslator(), '\n\n ', `[${ANSWER}]`)).toContain('message_stop')
  const endless = ' '.repeat(5000)
  const whole = translate(geminiTranslator(), `${endless}[${ANSWER}]`)
  expect(translate(geminiTranslator(), endless, `[${ANSWER}]`)).toBe(whole)
})

test.each([`[${ANSWER}}`, `[${ANSWER},${ANSWER}}`, `[${ANSWER}}]`])(
  'an array ends with its own bracket and no other: %s',
  (text) => {
    const told = translate(geminiTranslator(), text)
    expect(told).not.toContain('message_stop')
    expect(told).toContain('event: error')
  },
)
