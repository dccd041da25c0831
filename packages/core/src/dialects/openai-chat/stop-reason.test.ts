import { expect, test } from 'vitest'
import { answerTo } from '../../../test/streams/answer.ts'
import { call, calls, chunk, finish, text, usage } from '../../../test/streams/chat-chunks.ts'
import { isCutOff } from './stop-reason.ts'

const CALL = calls(call(0, 'c', 'Read', '{}'))
const end = (reason: string): string => finish(reason, usage(1, 1))

test('F1 stop although calls were made is tool_use', () => {
  expect(answerTo(CALL + end('stop')).stop).toBe('tool_use')
})

test('F2 tool_calls although none was made is end_turn', () => {
  expect(answerTo(text('a') + end('tool_calls')).stop).toBe('end_turn')
  expect(answerTo(text('a') + end('function_call')).stop).toBe('end_turn')
})

test('F3 length is max_tokens, also after calls', () => {
  expect(answerTo(text('a') + end('length')).stop).toBe('max_tokens')
  expect(answerTo(CALL + end('length')).stop).toBe('max_tokens')
  expect(answerTo(text('a') + end('model_length')).stop).toBe('max_tokens')
})

test('F3 content_filter is a refusal with an explanation', () => {
  const { stop, translator } = answerTo(text('a') + end('content_filter'))
  expect([stop, translator.summary.stopReason]).toEqual(['refusal', 'refusal'])
})

test('F3 a context that is full is told as such', () => {
  expect(answerTo(text('a') + end('model_context_window_exceeded')).stop).toBe(
    'model_context_window_exceeded',
  )
})

test.for(['LENGTH', 'MAX_TOKENS'])('F3 %s is a limit in capitals too', (reason) => {
  const { stop, notes } = answerTo(text('a') + end(reason))
  expect([stop, notes]).toEqual(['max_tokens', []])
})

test.for(['sensitive', 'SAFETY', 'safety'])("F3 %s is another provider's word for a filter", (reason) => {
  expect(answerTo(text('a') + end(reason)).stop).toBe('refusal')
})

test.for(['error', 'network_error', 'insufficient_system_resource'])(
  'F5 %s says that the answer broke off: it never looks whole',
  (reason) => {
    const { stop, error } = answerTo(text('a') + end(reason))
    expect(stop).toBeUndefined()
    expect(error).toContain('the upstream ended its answer with')
  },
)

test.for(['eos', 'eos_token', 'tool_call', 'STOP', 'end'])(
  'F5 the reason %s is an ordinary end and a note',
  (reason) => {
    const { stop, translator } = answerTo(text('a') + end(reason))
    expect(stop).toBe('end_turn')
    expect(translator.notes).toEqual([
      {
        code: 'finish_reason_unknown',
        path: 'choices[0].finish_reason',
        message: `'${reason}' was taken for an ordinary end`,
      },
    ])
    expect(answerTo(CALL + end(reason)).stop).toBe('tool_use')
  },
)

test.for(['stop_reason', 'matched_stop'])('F15 the stop sequence that %s names is passed on', (field) => {
  const body = text('a') + chunk({ delta: {}, finish_reason: 'stop', [field]: 'END' }, usage(1, 1))
  const { stop, stopSequence } = answerTo(body, { stopSequences: ['HALT', 'END'] })
  expect([stop, stopSequence]).toEqual(['stop_sequence', 'END'])
})

test.for([{ stop_reason: 'END' }, { stop_reason: 128_009 }, { matched_stop: null }, { stop_reason: '</s>' }])(
  'F15 what is no stop sequence of the client is an ordinary end: %j',
  (said) => {
    const body = text('a') + chunk({ delta: {}, finish_reason: 'stop', ...said }, usage(1, 1))
    const { stop, stopSequence } = answerTo(body, { stopSequences: ['HALT'] })
    expect([stop, stopSequence]).toEqual(['end_turn', null])
  },
)

test('F15 a stop sequence that the upstream does not take is matched by us', () => {
  const body = text('one E') + text('ND two') + end('stop')
  const setup = { profile: 'openai', model: 'gpt-5', stopSequences: ['END'] } as const
  const { blocks, stop, stopSequence } = answerTo(body, setup)
  expect([blocks, stop, stopSequence]).toEqual([['text one'], 'stop_sequence', 'END'])
})

test('a limit or a filter cuts an answer off, an ordinary end does not', () => {
  expect(['length', 'max_tokens', 'model_length', 'content_filter'].every(isCutOff)).toBe(true)
  expect(['', 'stop', 'tool_calls', 'eos', 'constructor'].some(isCutOff)).toBe(false)
})
