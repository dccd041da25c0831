import { expect, test } from 'vitest'
import { answerTo } from '../../../test/streams/answer.ts'
import { chunk, DONE, event, finish, text, usage } from '../../../test/streams/chat-chunks.ts'
import { ESTIMATED_INPUT } from '../../../test/streams/translator.ts'
import { usageOf } from '../../hub/usage.ts'
import { UsageTally, usageIn } from './usage.ts'

const counts = { prompt_tokens: 9, completion_tokens: 4 }

const result = (counted: object): object => {
  const tally = new UsageTally()
  tally.read({
    prompt_tokens: 10,
    completion_tokens: 5,
    completion_tokens_details: { reasoning_tokens: 3 },
    ...counted,
  })
  return tally.result(() => usageOf({}))
}

test('counts are whole numbers for the client, whatever an upstream reckons with', () => {
  expect(result({ prompt_tokens: 7.2, completion_tokens: 3.5 })).toMatchObject({
    input_tokens: 7,
    output_tokens: 4,
  })
})

test.for([
  ['on the finish chunk', finish('stop', { usage: counts })],
  ['in a later chunk without choices', finish('stop') + event({ choices: [], usage: counts })],
  ['in a later chunk with choices', finish('stop') + chunk({ delta: { content: '' } }, { usage: counts })],
  ['in the choice', chunk({ delta: {}, finish_reason: 'stop', usage: counts })],
  ['in a corner of its own', finish('stop', { x_groq: { id: 'r', usage: counts } })],
  ['beside a null', finish('stop', { usage: null, x_groq: { usage: counts } })],
  ['twice', finish('stop', { usage: counts }) + event({ choices: [], usage: counts })],
  ['with another one before', finish('stop', usage(1, 1)) + event({ choices: [], usage: counts })],
  ['with a null after it', finish('stop', { usage: counts }) + event({ choices: [], usage: null })],
  [
    'with counts that are null after it',
    finish('stop', { usage: counts }) +
      event({ choices: [], usage: { prompt_tokens: null, completion_tokens: null } }),
  ],
  ['before the finish', event({ choices: [], usage: counts }) + finish('stop')],
] as const)('F7 usage %s is read, and the last one counts', ([, end]) => {
  const outline = answerTo(text('abcdefgh') + end + DONE)
  expect([outline.usage, outline.notes]).toEqual([[9, 4, 0, 0], []])
})

test('F7 usage on every chunk is the last and not the sum', () => {
  const body =
    chunk({ delta: { content: 'a' } }, usage(9, 1)) +
    chunk({ delta: { content: 'b' } }, usage(9, 2)) +
    finish('stop', usage(9, 3))
  expect(answerTo(body).usage).toEqual([9, 3, 0, 0])
})

const said = (content: string): string => chunk({ delta: { content } }, usage(9, 3))

test('F7 the usage of a chunk that looks like an earlier one counts as well', () => {
  const other = chunk({ delta: { role: 'assistant', content: '' } }, usage(9, 1))
  expect(answerTo(said('a') + said('b') + other + said('c') + finish('stop')).usage).toEqual([9, 3, 0, 0])
})

test('F7 usage in two halves is put together', () => {
  const body =
    text('a') +
    event({ choices: [], usage: { prompt_tokens: 9 } }) +
    finish('stop', { usage: { completion_tokens: 4 } })
  expect(answerTo(body).usage).toEqual([9, 4, 0, 0])
})

test('F7 without any usage there is an estimate, never zero, with a note', () => {
  const outline = answerTo(text('abcdefgh') + finish('stop'))
  expect([outline.usage, outline.notes]).toEqual([[ESTIMATED_INPUT, 2, 0, 0], ['usage_estimated']])
  expect(answerTo(finish('stop')).usage).toEqual([ESTIMATED_INPUT, 1, 0, 0])
})

test('F7 the half that is missing is estimated', () => {
  const outline = answerTo(text('abcdefgh') + finish('stop', { usage: { prompt_tokens: 9 } }))
  expect([outline.usage, outline.notes]).toEqual([[9, 2, 0, 0], ['usage_estimated']])
})

test.for([
  {},
  { prompt_tokens: 'x', completion_tokens: NaN },
  { prompt_tokens: -1, completion_tokens: null },
])('F7 counts that are none are as good as missing: %j', (value) => {
  const tally = new UsageTally()
  tally.read(value)
  expect(tally.complete).toBe(false)
  expect(tally.result(() => usageOf({ input_tokens: 2, output_tokens: 1 }))).toMatchObject({
    input_tokens: 2,
  })
})

test('F7 a chunk without usage has none', () => {
  expect(
    [{}, { usage: null }, { usage: 5 }, { x_groq: {} }, { choices: [] }, { choices: [null] }].map(usageIn),
  ).toEqual(Array.from({ length: 6 }, () => undefined))
})

test.for([
  ['cached tokens', { prompt_tokens_details: { cached_tokens: 60 } }, [40, 7, 60, 0]],
  ['cache hits (DeepSeek)', { prompt_cache_hit_tokens: 60, prompt_cache_miss_tokens: 40 }, [40, 7, 60, 0]],
  ['cached tokens beside (Moonshot)', { cached_tokens: 60 }, [40, 7, 60, 0]],
  ['a number of cached tokens (Mistral)', { num_cached_tokens: 60 }, [40, 7, 60, 0]],
  ['Anthropic names', { cache_read_input_tokens: 60, cache_creation_input_tokens: 30 }, [10, 7, 60, 30]],
  ['cache writes', { prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 } }, [10, 7, 60, 30]],
  ['more than there were', { prompt_tokens_details: { cached_tokens: 600 } }, [0, 7, 600, 0]],
  [
    'the same as read and written',
    { cache_read_input_tokens: 100, cache_creation_input_tokens: 100 },
    [0, 7, 100, 0],
  ],
  ['details that are null', { prompt_tokens_details: null }, [100, 7, 0, 0]],
] as const)('F8 %s are taken out of the input', ([, details, expected]) => {
  expect(answerTo(text('a') + finish('stop', usage(100, 7, details))).usage).toEqual(expected)
})

test('F8 reasoning is part of the output, and added where the total says that it is not', () => {
  const inside = { output_tokens: 5, output_tokens_details: { thinking_tokens: 3 } }
  expect(result({ total_tokens: 15 })).toMatchObject(inside)
  expect(result({})).toMatchObject(inside)
  expect(result({ total_tokens: 18 })).toMatchObject({
    output_tokens: 8,
    output_tokens_details: { thinking_tokens: 3 },
  })
})
