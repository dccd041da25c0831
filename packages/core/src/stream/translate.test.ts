import { expect, test } from 'vitest'
import { DONE, finish, text, usage } from '../../test/streams/chat-chunks.ts'
import { chatCollector, chatTranslator, toBytes, translate } from '../../test/streams/translator.ts'
import { HubError } from '../hub/error.ts'

test('one push gives at most one piece of output, and none gives none', () => {
  const translator = chatTranslator()
  expect(translator.push(new Uint8Array(0))).toBe('')
  const output = translator.push(toBytes(text('a') + text('b') + finish('stop', usage(1, 1)) + DONE))
  expect(output.match(/^event: /gm)).toHaveLength(7)
  expect([translator.ended, translator.end()]).toEqual([true, ''])
})

test('the state tells how far an answer has come', () => {
  const translator = chatTranslator()
  const state = (): boolean[] => [translator.started, translator.finished, translator.ended]
  expect(state()).toEqual([false, false, false])
  translator.push(toBytes(text('a')))
  expect(state()).toEqual([true, false, false])
  translator.push(toBytes(finish('stop', usage(2, 3))))
  expect(state()).toEqual([true, true, false])
  translator.end()
  expect(state()).toEqual([true, true, true])
  expect(translator.summary).toMatchObject({
    toolCalls: 0,
    stopReason: 'end_turn',
    usage: { output_tokens: 3 },
  })
})

test('a failure before the first content leaves the start open for a status', () => {
  const translator = chatTranslator()
  const error = new HubError('overloaded_error', 'busy')
  expect(translator.fail(error)).toBe(
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded: busy"}}\n\n',
  )
  expect([translator.started, translator.failure, translator.failure?.status]).toEqual([false, error, 529])
})

test('what a translator throws away says nothing to the next one', () => {
  const body = toBytes(text('a') + finish('stop') + DONE)
  const first = translate(chatTranslator(), body)
  translate(chatTranslator(), toBytes('data: {"error":"x"}\n\n'))
  expect(translate(chatTranslator(), body)).toBe(first)
})

test('a collector has the message at the end and not before', () => {
  const collector = chatCollector()
  collector.push(toBytes(text('a') + finish('stop', usage(2, 3))))
  expect(collector.message).toBeUndefined()
  collector.end()
  expect(collector.message).toMatchObject({ content: [{ text: 'a' }], stop_reason: 'end_turn' })
})

test('F12 a collector has no message when the answer breaks off, but its failure', () => {
  const collector = chatCollector()
  collector.push(toBytes(text('a')))
  collector.end()
  expect([collector.message, collector.failure?.status]).toEqual([undefined, 502])
})
