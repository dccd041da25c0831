import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Matchable } from './entry.ts'
import type { Miss } from './explain-miss.ts'
import { type Match, Matcher, type MatchOptions } from './matcher.ts'

const CHAT = '/v1/chat/completions'
const MESSAGES = '/v1/messages?beta=true'

function wire(path: string, body: unknown, method = 'POST') {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { method, path, body: Buffer.from(text) }
}

type Wire = ReturnType<typeof wire>

function matcherOf(requests: readonly Wire[], options?: MatchOptions): Matcher<Matchable> {
  const recordings = requests.map((request, index) => ({
    exchange: index + 1,
    call: 1,
    request: { ...request, headers: {}, at: 0 },
  }))
  return new Matcher({ recordings }, options)
}

function found(result: Match<Matchable> | Miss): string {
  return 'explanation' in result ? result.explanation : `${result.recording.exchange} by ${result.by}`
}

function user(content: unknown): object {
  return { role: 'user', content }
}

const HELLO = { model: 'm', stream: true, max_tokens: 9, messages: [user('Hello')] }

test('the fresh name of a conversation of strict turns tells nothing', () => {
  const state = { history: [], currentMessage: { userInputMessage: { content: 'Hello' } } }
  const named = (conversationId: string): Wire =>
    wire('/', { conversationState: { ...state, conversationId } })
  expect(found(matcherOf([named('one')]).find(named('two')))).toBe('1 by request')
})

test('a request finds its recording, whatever address the provider has', () => {
  const matcher = matcherOf([wire('/openai/v1/chat/completions', HELLO), wire('/v1/models', '', 'GET')])
  expect(found(matcher.find(wire(CHAT, HELLO)))).toBe('1 by request')
  expect(found(matcher.find(wire('/models', '', 'GET')))).toBe('2 by request')
  expect(matcher.unused).toEqual([])
})

test('the same request is answered in the order of the tape, and each recording once', () => {
  const matcher = matcherOf([wire(CHAT, HELLO), wire(CHAT, { ...HELLO, n: 1 }), wire(CHAT, HELLO)])
  expect(found(matcher.find(wire(CHAT, HELLO)))).toBe('1 by request')
  expect(found(matcher.find(wire(CHAT, HELLO)))).toBe('3 by request')
  expect(found(matcher.find(wire(CHAT, { ...HELLO, n: 1 })))).toBe('2 by request')
  expect(found(matcher.find(wire(CHAT, HELLO)))).toBe(
    'no recording answers POST /v1/chat/completions: exchange 1 is the same request, but it has been used already',
  )
})

test('in a loop the same request finds its recordings again, in their order', () => {
  const matcher = matcherOf([wire(CHAT, HELLO), wire(CHAT, HELLO)], { loop: true })
  const numbers = [1, 2, 3, 4].map(() => found(matcher.find(wire(CHAT, HELLO))))
  expect(numbers).toEqual(['1 by request', '2 by request', '1 by request', '2 by request'])
})

function claudeCode(run: { id: string; date: string; version: string; user: string; cached: boolean }) {
  const cache = run.cached ? { cache_control: { type: 'ephemeral' } } : {}
  const reminder = `<system-reminder>\n# currentDate\nToday's date is ${run.date}.\n</system-reminder>`
  return {
    model: 'm',
    metadata: { user_id: run.user },
    system: [
      { type: 'text', text: `x-anthropic-billing-header: cc_version=${run.version}; cc_entrypoint=cli;` },
      {
        type: 'text',
        text: `You are an agent of cc_version=${run.version}; today's date: ${run.date}`,
        ...cache,
      },
    ],
    messages: [
      user([{ type: 'text', text: reminder, ...cache }]),
      { role: 'assistant', content: [{ type: 'tool_use', id: run.id, name: 'Read', input: { path: 'a' } }] },
      user([{ type: 'tool_result', tool_use_id: run.id, content: [{ type: 'text', text: 'x', ...cache }] }]),
    ],
    tools: [{ name: 'Read', input_schema: {}, ...cache }],
  }
}

function openai(run: { id: string; user: string; cached: boolean }) {
  return {
    ...(run.cached && { prompt_cache_key: run.user, safety_identifier: run.user }),
    model: 'm',
    user: run.user,
    messages: [
      {
        role: 'assistant',
        tool_calls: [{ id: run.id, type: 'function', function: { name: 'f', arguments: '' } }],
      },
      { role: 'tool', tool_call_id: run.id, content: 'x' },
    ],
  }
}

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, field]) => [name, shuffled(field)]),
  )
}

const RUN = fc.record({
  id: fc.string({ minLength: 1 }),
  date: fc
    .date({ noInvalidDate: true, min: new Date('2000-01-01'), max: new Date('2099-01-01') })
    .map((date) => date.toISOString().slice(0, 10)),
  version: fc.tuple(fc.nat(9), fc.nat(9), fc.nat(999)).map((numbers) => numbers.join('.')),
  user: fc.string(),
  cached: fc.boolean(),
})

test('what changes from run to run makes no difference, in either dialect', () => {
  fc.assert(
    fc.property(RUN, RUN, (one, other) => {
      const matcher = matcherOf([wire(MESSAGES, claudeCode(one)), wire(CHAT, openai(one))], {
        matchBy: 'request',
      })
      expect(found(matcher.find(wire('/v1/messages', shuffled(claudeCode(other)))))).toBe('1 by request')
      expect(found(matcher.find(wire(CHAT, shuffled(openai(other)))))).toBe('2 by request')
    }),
  )
})

/** All places of a value that hold no further values, with a function that changes each. */
function leavesOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([name, field]) => leavesOf(field, [...path, name]))
}

function changedAt(value: unknown, [name, ...rest]: readonly (string | number)[]): unknown {
  if (name === undefined) return `${String(value)} changed`
  const copy = structuredClone(value) as Record<string, unknown>
  copy[name] = changedAt(copy[name], rest)
  return copy
}

test('everything else makes a difference, and the miss names its place', () => {
  const content = {
    model: 'm',
    temperature: 1,
    metadata: { user_id: 'u', other: 'kept' },
    system: [{ type: 'text', text: 'Be kind.' }],
    messages: [
      user("Today's date is 2026-01-01."),
      {
        role: 'assistant',
        content: [
          {
            type: 'tool_use',
            id: 'a',
            name: 'Read',
            input: { id: 'b', cache_control: 'c', user: 'd', text: 'e' },
          },
        ],
      },
      user([{ type: 'tool_result', tool_use_id: 'a', content: 'x', is_error: false }]),
    ],
    tools: [{ name: 'Read', input_schema: { properties: { cache_control: {}, user: { type: 'string' } } } }],
  }
  const ignored = new Set(['metadata.user_id', 'messages.1.content.0.id', 'messages.2.content.0.tool_use_id'])
  const places = leavesOf(content).filter((path) => !ignored.has(path.join('.')))
  expect(places.length).toBeGreaterThan(15)
  for (const place of places) {
    const changed = changedAt(content, place)
    const matcher = matcherOf([wire(MESSAGES, content)], { matchBy: 'request' })
    const result = matcher.find(wire(MESSAGES, changed))
    expect('explanation' in result && result.difference?.path.replaceAll(/\[(\d+)\]/g, '.$1')).toBe(
      place.join('.'),
    )
  }
})

/** Two calls, and the results in the order of the ids. */
function twoCalls(first: string, second: string): object {
  return {
    messages: [
      { role: 'assistant', tool_calls: [{ id: 'a' }, { id: 'b' }] },
      { role: 'tool', tool_call_id: first, content: 'x' },
      { role: 'tool', tool_call_id: second, content: 'y' },
    ],
  }
}

test('a result that belongs to another call is another request', () => {
  const matcher = matcherOf([wire(CHAT, twoCalls('a', 'b'))], { matchBy: 'request' })
  expect(found(matcher.find(wire(CHAT, twoCalls('b', 'a'))))).toContain(
    'messages[1].tool_call_id is "(call 1)" and not',
  )
})

test('a changed system prompt, tool or setting is found by its place in the conversation, and is told', () => {
  const matcher = matcherOf([wire(CHAT, HELLO)])
  const result = matcher.find(wire(CHAT, { ...HELLO, max_tokens: 10 }))
  expect(found(result)).toBe('1 by conversation')
  expect(result.difference).toEqual({ path: 'max_tokens', expected: 9, actual: 10 })
})

test.each(['system', 'developer'])(
  'what a message of the role %s says is not part of the conversation',
  (role) => {
    const body = (content: string): object => ({
      model: 'm',
      messages: [{ role, content }, user('Begin'), { role, content }],
    })
    const matcher = matcherOf([wire(CHAT, body('You work in /a.'))])
    const result = matcher.find(wire(CHAT, body('You work in /b.')))
    expect(found(result)).toBe('1 by conversation')
    expect(result.difference?.path).toBe('messages[0].content')
  },
)

/** A first turn as Claude Code sends it, and as the translation to OpenAI's form sends it on. */
const REMINDED = {
  [MESSAGES]: (state: string, question: string): object =>
    user([
      { type: 'text', text: `<system-reminder>\n# gitStatus\n${state}\n</system-reminder>\n` },
      { type: 'text', text: question },
    ]),
  [CHAT]: (state: string, question: string): object =>
    user(`<system-reminder>\n# gitStatus\n${state}\n</system-reminder>\n\n\n${question}`),
}
const CASES = Object.entries(REMINDED)

test.each(CASES)('on %s a reminder that tells another state finds its place, and is told', (path, first) => {
  const call = [{ role: 'assistant', content: 'Let me look.' }, user('result')]
  const ask = (state: string, more: readonly object[] = [], question = 'Which number?'): Wire =>
    wire(path, { model: 'm', messages: [first(state, question), ...more] })
  const matcher = matcherOf([ask('(clean)'), ask('(clean)', call)])
  const missed = matcher.find(ask('?? new.txt', [], 'Which letter?'))
  expect(missed.difference).toMatchObject({
    expected: expect.stringMatching(/number\?$/) as unknown,
    actual: expect.stringMatching(/letter\?$/) as unknown,
  })
  expect(found(missed)).toContain('"Which number?" and not "Which letter?"')
  const result = matcher.find(ask('?? new.txt'))
  expect(found(result)).toBe('1 by conversation')
  expect(result.difference?.path).toMatch(/^messages\[0\]\.content/)
  expect(result.difference?.actual).toContain('?? new.txt')
  expect(found(matcher.find(ask('?? new.txt\n?? newer.txt', call)))).toBe('2 by conversation')
})

test.each(CASES)('on %s the conversation whose reminders are the same comes first', (path, first) => {
  const ask = (state: string, seed: number): Wire =>
    wire(path, { model: 'm', seed, messages: [first(state, 'Go.')] })
  const matcher = matcherOf([ask('in a', 1), ask('in b', 1)])
  expect(found(matcher.find(ask('in b', 2)))).toBe('2 by conversation')
  expect(found(matcher.find(ask('in c', 2)))).toBe('1 by conversation')
})

test.each(CASES)('on %s the same words without a reminder are another request', (path, first) => {
  const beside = wire(path, { model: 'm', messages: [user('Go.')] })
  const matcher = matcherOf([beside, wire(path, { model: 'm', messages: [first('in a', 'Go.')] })])
  expect(found(matcher.find(wire(path, { model: 'm', messages: [first('in b', 'Go.')] })))).toBe(
    '2 by conversation',
  )
})

function asking(text: string): Wire {
  return wire(CHAT, { model: 'm', messages: [user(text)] })
}

test.each([
  [
    'a question about it',
    'See <system-reminder>a</system-reminder>',
    'See <system-reminder>b</system-reminder>',
  ],
  ['one without an end', '<system-reminder>\na', '<system-reminder>\nb'],
  [
    'one with nothing beside it',
    '<system-reminder>\na\n</system-reminder>',
    '<system-reminder>\nb\n</system-reminder>',
  ],
])('of what looks like a reminder, %s still counts', (_what, one, other) => {
  expect(found(matcherOf([asking(one)]).find(asking(other)))).toContain('no recording answers')
})

test('a reminder that comes between the turns, or does not come, does not end a conversation', () => {
  const reminder = { type: 'text', text: '<system-reminder>\nUse the list of tasks.\n</system-reminder>' }
  const ask = (...more: readonly object[]): Wire =>
    wire(MESSAGES, {
      model: 'm',
      messages: [
        user([{ type: 'text', text: 'Go.' }, ...more]),
        { role: 'assistant', content: 'Gone.' },
        user([{ type: 'text', text: 'Back.' }]),
      ],
    })
  expect(found(matcherOf([ask(reminder)]).find(ask({ ...reminder, text: `${reminder.text}\n` })))).toBe(
    '1 by conversation',
  )
  const later = (...more: readonly object[]): Wire =>
    wire(CHAT, { model: 'm', messages: [user('Go.'), { role: 'assistant', content: 'Gone.' }, ...more] })
  const matcher = matcherOf([later(user([reminder]), { role: 'assistant', content: 'Back.' })])
  expect(found(matcher.find(later({ role: 'assistant', content: 'Back.' })))).toBe('1 by conversation')
})

function turns(...results: readonly string[]) {
  const history = results.flatMap((result, index) => [
    { role: 'assistant', content: `turn ${index}` },
    user(`result ${result}`),
  ])
  return { model: 'm', messages: [user('Begin'), ...history] }
}

test('a conversation whose tools said something else finds its place at every later turn', () => {
  const matcher = matcherOf(
    [turns(), turns('a'), turns('a', 'b'), turns('a', 'b', 'c')].map((body) => wire(CHAT, body)),
  )
  expect(found(matcher.find(wire(CHAT, turns())))).toBe('1 by request')
  expect(found(matcher.find(wire(CHAT, turns('other'))))).toBe('2 by conversation')
  expect(found(matcher.find(wire(CHAT, turns('other', 'b'))))).toBe('3 by conversation')
  expect(found(matcher.find(wire(CHAT, turns('other', 'b', 'else'))))).toBe('4 by conversation')
})

test('a first turn that says something else has no place, nor has another model or a body that is no stream', () => {
  const matcher = matcherOf([wire(CHAT, HELLO)])
  expect(found(matcher.find(wire(CHAT, { ...HELLO, messages: [user('Hullo')] })))).toBe(
    'no recording answers POST /v1/chat/completions: the nearest is exchange 1 where messages[0].content is "Hello" and not "Hullo"',
  )
  expect(found(matcher.find(wire(CHAT, { ...HELLO, model: 'n', max_tokens: 1 })))).toContain(
    'where model is "m" and not "n"; also different: max_tokens',
  )
  expect(found(matcher.find(wire(CHAT, { ...HELLO, stream: false })))).toContain(
    'where stream is true and not false',
  )
  expect(matcher.unused.length).toBe(1)
})

function toldBySystem(system: string, content: string, tool: string): Wire {
  const tools = [{ type: 'function', function: { name: tool } }]
  return wire(CHAT, { tools, model: 'm', messages: [{ role: 'system', content: system }, user(content)] })
}

test('a miss names what has to be the same before anything else', () => {
  const matcher = matcherOf([toldBySystem('Be kind.', 'Hello', 'Bash')])
  expect(found(matcher.find(toldBySystem('Be rude.', 'Hullo', 'Agent')))).toContain(
    'where messages[1].content is "Hello" and not "Hullo"; also different: tools',
  )
})

test('by order any request of a route is answered, but only if that is allowed and both want a stream or not', () => {
  const matcher = matcherOf([wire(CHAT, HELLO), wire(CHAT, HELLO)], { matchBy: 'order' })
  const other = { ...HELLO, model: 'n', messages: [user('Something else')] }
  expect(found(matcher.find(wire(CHAT, { ...other, stream: false })))).toContain('no recording')
  expect(found(matcher.find(wire(CHAT, other)))).toBe('1 by order')
  expect(found(matcher.find(wire('/v1/messages', other)))).toContain('the tape has no POST /messages')
})

test('the nearest recording is the one that shares the most turns', () => {
  const matcher = matcherOf([turns(), turns('a'), turns('a', 'b')].map((body) => wire(CHAT, body)))
  const miss = matcher.find(wire(CHAT, { ...turns('a'), model: 'n' }))
  expect('nearest' in miss && miss.nearest).toEqual({ exchange: 2, call: 1 })
})

test('bodies that are no JSON, no text, or nested without end are compared as they are', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  const bytes = { method: 'POST', path: CHAT, body: Uint8Array.of(0xff, 0xfe) }
  const matcher = matcherOf([
    wire(CHAT, '{"half'),
    wire(CHAT, deep),
    { ...bytes, body: Buffer.from(bytes.body) },
  ])
  expect(found(matcher.find(wire(CHAT, deep)))).toBe('2 by request')
  expect(found(matcher.find(wire(CHAT, '{"half')))).toBe('1 by request')
  expect(found(matcher.find(bytes))).toBe('3 by request')
  expect(found(matcher.find(wire(CHAT, '{"hulf')))).toContain('where the body is "{\\"half" and not')
})

test('names of the prototype in a body are content like any other', () => {
  const hostile = '{"messages":[],"__proto__":{"a":1},"constructor":2}'
  const matcher = matcherOf([wire(CHAT, hostile)])
  expect(found(matcher.find(wire(CHAT, '{"messages":[],"constructor":2}')))).toContain('__proto__')
  expect(found(matcher.find(wire(CHAT, hostile)))).toBe('1 by request')
})

function withSystem(...system: readonly object[]): object {
  return { model: 'm', system, messages: [user('a')] }
}

test('the billing line may be missing, and the places of the other blocks are still right', () => {
  const billing = { type: 'text', text: 'x-anthropic-billing-header: cc_version=1; ' }
  const [kind, rude] = [
    { type: 'text', text: 'Be kind.' },
    { type: 'text', text: 'Be rude.' },
  ]
  const matcher = matcherOf([wire(MESSAGES, withSystem(billing, kind))], { matchBy: 'request', loop: true })
  expect(found(matcher.find(wire(MESSAGES, withSystem(kind))))).toBe('1 by request')
  expect(matcher.find(wire(MESSAGES, withSystem(billing, rude))).difference?.path).toBe('system[1].text')
  expect(matcher.find(wire(MESSAGES, withSystem(rude))).difference?.path).toBe('system[0].text')
})

test('an empty tape says that it has nothing', () => {
  expect(found(matcherOf([]).find(wire(CHAT, HELLO)))).toContain('the tape has nothing to answer with')
})

test('secrets are compared as the marks that they leave, whatever their number and length', () => {
  const secrets = [`key-${'1'.repeat(20)}`, `key-${'2'.repeat(30)}`]
  const redact = (body: Uint8Array): Uint8Array =>
    Buffer.from(
      secrets.reduce((text, secret) => text.replaceAll(secret, '~K7---~'), Buffer.from(body).toString()),
    )
  const recorded = { ...HELLO, messages: [user('the key ~K1--------~')] }
  const matcher = matcherOf([wire(CHAT, recorded), wire(CHAT, recorded)], { redact, matchBy: 'request' })
  for (const secret of secrets) {
    const body = { ...HELLO, messages: [user(`the key ${secret}`)] }
    expect(found(matcher.find(wire(CHAT, body)))).toContain('by request')
  }
  const miss = found(matcher.find(wire(CHAT, { ...HELLO, messages: [user(`another ${secrets[0]}`)] })))
  expect(miss).toContain('not "another ~K~"')
  expect(miss).not.toContain(secrets[0])
})

function redactHello(body: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(body).toString().replaceAll('Hello', '~K1~'))
}

test('what is a secret only where the tape is played makes no difference', () => {
  const matcher = matcherOf([wire(CHAT, HELLO)], { redact: redactHello, matchBy: 'request' })
  expect(found(matcher.find(wire(CHAT, HELLO)))).toBe('1 by request')
})
