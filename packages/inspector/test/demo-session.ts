import { usageOf } from '@hydra/core'
import type { Tape } from '@hydra/tape'
import { sceneTape, spoken } from '@hydra/testkit'

const ASKED = { role: 'user', content: 'What is the weather in Bern? Tell me whether I need an umbrella.' }
const CALLED = {
  role: 'assistant',
  content: [{ type: 'tool_use', id: 'call_1', name: 'get_weather', input: { city: 'Bern' } }],
}
const RESULT = {
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'Rain, 12 degrees, wind from the west' }],
}
const ANSWER = 'Yes: it rains in Bern, and it will go on raining until the evening. Take an umbrella.'

/** A session with each kind of exchange: a call, an answer, a refusal, an abort and an interruption. */
export function conversation(): Tape {
  return sceneTape('weather', [
    {
      messages: [ASKED],
      events: spoken({
        thinking: 'The user wants the weather. There is a tool for that.',
        text: ['I will ', 'look it up.'],
        call: { name: 'get_weather', input: { city: 'Bern' } },
      }),
      notes: [
        { code: 'field_ignored', path: 'context_management', message: 'a field that is not known here' },
      ],
      usage: usageOf({ input_tokens: 200, output_tokens: 34, cache_read_input_tokens: 1000 }),
      pace: [120_000, 40_000, 300_000, 1_800_000, 20_000, 20_000, 30_000, 10_000],
    },
    { messages: [ASKED, CALLED, RESULT], events: spoken({ text: ANSWER.split(/(?<= )/) }) },
    {
      messages: [
        ASKED,
        CALLED,
        RESULT,
        { role: 'assistant', content: ANSWER },
        { role: 'user', content: 'And tomorrow?' },
      ],
      status: 429,
      refusal: '{"error":{"message":"slow down, please","code":"rate_limit_exceeded"}}',
      outcome: 'failed',
    },
    {
      messages: [{ role: 'user', content: 'Write a long story' }],
      events: spoken({ text: ['Once upon ', 'a time '] }).slice(0, 3),
      ended: 'aborted',
      outcome: 'aborted',
      lines: [[1, 0, 1, 'c>', 'abort', { by: 'client', reason: 'the connection was closed' }]],
    },
    {
      messages: [{ role: 'user', content: 'Hello?' }],
      events: spoken({ text: ['Hel'] }).slice(0, 2),
      ended: 'open',
      outcome: 'interrupted',
    },
  ])
}
