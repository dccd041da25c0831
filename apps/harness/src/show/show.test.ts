import { visibleJson, visibleText } from '@hydra/cli'
import * as fc from 'fast-check'
import { usageOf } from '@hydra/core'
import { expect, test } from 'vitest'
import { type Scene, sceneTape, spoken } from '@hydra/testkit'
import { FULL, printSession } from './print-session.ts'
import { summarizeSession } from '@hydra/inspector/summary'

function told(...scenes: Scene[]): string {
  return printSession(summarizeSession(sceneTape('demo', scenes)))
}

test('a session is told with who said what, the route, the time and the end', () => {
  const text = told({
    messages: [{ role: 'user', content: 'What is the weather?' }],
    events: spoken({
      thinking: 'Look it up.',
      text: ['I will ', 'look.'],
      call: { name: 'weather', input: { in: 'Bern' } },
    }),
    usage: usageOf({ input_tokens: 200, output_tokens: 34, cache_read_input_tokens: 1000 }),
    notes: [{ code: 'field_ignored', path: 'metadata', message: 'a field that is not known here' }],
  })
  expect(text).toContain('client     claude-cli/2.1.325, session a-session')
  expect(text).toContain('user       says: What is the weather?')
  expect(text).toContain(
    'upstream   demo, openai-chat, model gpt-test, told as claude-test, profile generic: status 200',
  )
  expect(text).toContain('model      thinks: Look it up.')
  expect(text).toContain('model      says: I will look.')
  expect(text).toContain('model      calls weather: {"in":"Bern"}')
  expect(text).toContain('stopped    tool_use')
  expect(text).toContain('translated a field that is not known here [field_ignored at metadata]')
  expect(text).toContain('time       head after 250 ms, first token after 330 ms, streaming')
  expect(text).toContain('tokens     200 in (and 1000 from the cache), 34 out')
  expect(text).toContain('ended      clean (status 200)')
})

test('what a request repeats is told as such, also past an exchange of another conversation', () => {
  const first = [{ role: 'user', content: 'Read a.txt' }]
  const second = [
    { role: 'user', content: [{ type: 'text', text: 'Read a.txt', cache_control: { type: 'ephemeral' } }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Read', input: {} }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't1', content: 'not there', is_error: true }],
    },
  ]
  const text = told(
    { messages: first },
    { messages: [{ role: 'user', content: 'A title, please' }] },
    { messages: second },
  )
  const third = text.slice(text.indexOf('Exchange 3'))
  expect(third).toContain("as before  1 message of exchange 1, then the assistant's turn")
  expect(third).toContain('tool       Read answers FAILED: not there')
  expect(third).not.toContain('Read a.txt')
})

test('changed tools and prompts are said', () => {
  const session = summarizeSession(sceneTape('demo', [{}, { request: { tools: [], system: 'Other' } }]))
  expect(session.exchanges[1]?.request?.changed).toEqual(['system', 'tools'])
})

test.for<[string, Scene, string]>([
  [
    'an interrupted recording',
    { outcome: 'interrupted', ended: 'open' },
    'ended      INTERRUPTED: the recording stops',
  ],
  [
    'a client that gave up',
    { outcome: 'aborted', ended: 'aborted', lines: [[1, 0, 1, 'c>', 'abort', { by: 'client' }]] },
    'ended      ABORTED: the client gave up',
  ],
  [
    'an upstream that refused',
    { status: 429, refusal: '{"error":{"message":"slow down"}}', outcome: 'failed' },
    'ended      ERROR: rate_limit_error: slow down',
  ],
  [
    'a timeout',
    {
      ended: 'timeout',
      events: [],
      lines: [[1, 0, 1, 'u>', 'timeout', { reason: 'silent for too long' }]],
      outcome: 'failed',
    },
    'ended      ERROR: a timeout: silent for too long',
  ],
])('%s is not told as clean', ([, scene, expected]) => {
  const text = told(scene)
  expect(text).toContain(expected)
  expect(text).not.toContain('ended      clean')
})

test('an answer without its end is told as cut off, with what there is of it', () => {
  const text = told({ events: spoken({ text: ['Half of'] }).slice(0, 2), ended: 'open' })
  expect(text).toContain('model      says (CUT OFF): Half of')
  expect(text).toContain('CUT OFF    the answer has no end of its own')
  expect(text).not.toContain('ended      clean')
})

test('an answer that a clean end of the body cuts off is an error', () => {
  const session = summarizeSession(sceneTape('demo', [{ events: spoken({ text: ['Half of'] }).slice(0, 2) }]))
  expect(session.exchanges[0]).toMatchObject({ answer: { whole: false }, ending: { kind: 'error' } })
})

test('silences of more than a second are told with their place', () => {
  expect(told({ pace: [1000, 2_500_000, 1000] })).toContain('silent     2.5 s after 251 ms')
})

test('a request that the proxy would refuse is told with the fault', () => {
  expect(told({ messages: [{ role: 'king', content: 'x' }] })).toContain(
    'TROUBLE    messages[0].role: expected one of',
  )
  expect(told({ body: 'no json' })).toContain('TROUBLE    the body is no JSON (7 bytes)')
})

test('long texts are shortened with a count, unless all is asked for', () => {
  const tape = sceneTape('demo', [{ messages: [{ role: 'user', content: 'x'.repeat(5000) }] }])
  const session = summarizeSession(tape)
  expect(printSession(session)).toContain('… (4400 characters more)')
  expect(printSession(session, FULL)).toContain('x'.repeat(5000))
})

test('problems are told with line and reason, and the rest is still shown', () => {
  const tape = { ...sceneTape('demo', [{}]), problems: [{ line: 7, reason: 'expected an array' }] }
  const text = printSession(summarizeSession(tape))
  expect(text).toContain('PROBLEM    line 7: expected an array')
  expect(text).toContain('model      says: Hello there.')
})

// oxlint-disable-next-line no-control-regex -- that is what is looked for
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\u2028\u2029]/

test('whatever the wire says, nothing that controls a terminal is printed', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u001B[2J', '\u009B31m', '\r', '\u202E'),
      (text, evil) => {
        const word = evil + text + evil
        const printed = told({
          messages: [
            { role: word, content: word },
            { role: 'tool', tool_call_id: word, content: word },
          ],
          events: spoken({ thinking: word, text: [word], call: { name: word, input: { [word]: word } } }),
          notes: [{ code: word, path: word, message: word }],
          lines: [[1, 0, 1, '', 'mark', { text: word }]],
        })
        expect(printed).not.toMatch(CONTROLS)
      },
    ),
    { numRuns: 25 },
  )
})

test('text without such characters is printed as it is, and escapes keep JSON the same value', () => {
  expect(visibleText('a\tb\nc ä 😀')).toBe('a\tb\nc ä 😀')
  expect(visibleText('\u001B[2J')).toBe('\\u{1b}[2J')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const json = visibleJson({ text })
      expect(JSON.parse(json)).toEqual({ text })
      expect(json).not.toMatch(CONTROLS)
    }),
  )
})

test('any bytes for a request and an answer are told without an exception', () => {
  const JSONISH = fc.oneof(
    fc.string(),
    fc.json(),
    fc.json().map((json) => `{"messages":[${json}]}`),
  )
  fc.assert(
    fc.property(JSONISH, fc.array(fc.oneof(fc.string(), fc.json())), (body, events) => {
      expect(told({ body, events })).toContain('Exchange 1')
    }),
    { numRuns: 200 },
  )
})

test('an answer that is no message, such as a count of tokens, is told as it is', () => {
  const [scene] = sceneTape('demo', [{}]).exchanges
  const answer = {
    status: 200,
    headers: {},
    at: 1,
    chunks: [{ at: 2, bytes: Buffer.from('{"input_tokens":12}') }],
    ended: 'clean' as const,
  }
  const request = {
    method: 'POST',
    path: '/v1/messages/count_tokens',
    headers: {},
    body: Buffer.from('{}'),
    at: 0,
  }
  const tape = {
    ...sceneTape('demo', []),
    exchanges: scene === undefined ? [] : [{ ...scene, request, calls: [], answer }],
  }
  const text = printSession(summarizeSession(tape))
  expect(text).toContain('server     sends: {"input_tokens":12}')
  expect(text).toContain('ended      clean')
  expect(text).not.toContain('TROUBLE')
})

test('each call of an upstream is told, with why another one followed', () => {
  const tape = sceneTape('demo', [{}])
  const refused = sceneTape('demo', [{ status: 503, refusal: 'busy' }]).exchanges[0]?.calls[0]
  const exchanges = tape.exchanges.map((exchange) => {
    const [call] = exchange.calls
    if (call === undefined || refused === undefined) return exchange
    const again = { ...call, request: { ...call.request, at: call.request.at + 2_000_000 } }
    const event = [1, 0, 1, '', 'retry', { reason: 'status 503', pause: 1500 }] as const
    const moments = [...exchange.moments, { at: again.request.at - 1, leg: '' as const, line: 9, event }]
    return { ...exchange, calls: [refused, again], moments }
  })
  const text = printSession(summarizeSession({ ...tape, exchanges }))
  expect(text).toMatch(
    /upstream .*: status 503, .*\n {2}retried {4}after 1\.5 s: status 503\n {2}upstream .*: status 200\n/,
  )
  expect(text).toContain('ended      clean')
})

test('counts that are no numbers are not printed', () => {
  const usage = { ...usageOf({}), input_tokens: '\u001B[2J' as unknown as number }
  expect(told({ usage })).toContain('tokens     ? in, 0 out')
})

test.for([null, 7, [], { from: 7, lacks: 'x' }, { from: {}, lacks: [null, '\u001B[2J'] }])(
  'a header that says %j about its source is shown all the same',
  (imported) => {
    const tape = sceneTape('demo', [{}])
    const header = { ...tape.header, imported: imported as unknown as { from: string; lacks: string[] } }
    const text = printSession(summarizeSession({ ...tape, header }))
    expect(text).toContain('Exchange 1')
    expect(text).not.toMatch(CONTROLS)
  },
)
