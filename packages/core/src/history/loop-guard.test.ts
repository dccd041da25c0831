import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { HONEST_SESSIONS } from '../../test/loops/honest-sessions.ts'
import { LOOPING_SESSIONS } from '../../test/loops/looping-sessions.ts'
import { call, failing, session, times } from '../../test/loops/session.ts'
import type { HubMessage } from '../hub/request.ts'
import { createLoopGuard } from './loop-guard.ts'
import { isSimilar } from './loop-repeats.ts'

const guard = createLoopGuard({ mode: 'stop' })
const same = (count: number, tool = 'Bash'): HubMessage[] =>
  session('go', ...times(count, () => call(tool, { command: 'ls' }, 'a.ts')))

test.each(Object.entries(LOOPING_SESSIONS))(
  '%s is a loop, and one turn earlier is none',
  (_name, looping) => {
    const { messages, kind, message } = looping
    expect(guard.look(messages)).toMatchObject({
      mode: 'stop',
      kind,
      message,
      messageIndex: messages.findLastIndex(({ role }) => role === 'assistant'),
    })
    expect(guard.look(messages.slice(0, -2))).toBeUndefined()
  },
)

test.each(Object.entries(HONEST_SESSIONS))('%s, and no request of it is disturbed', (_name, messages) => {
  const tripped = messages.filter((_, index) => guard.look(messages.slice(0, index + 1)) !== undefined)
  expect(tripped).toEqual([])
})

test('a trip names the tool and the call, the latter apart from the words for a log', () => {
  const trip = guard.look(session('go', ...times(5, () => call('Bash', { command: 'x'.repeat(500) }, ''))))
  expect(trip).toMatchObject({ tool: 'Bash', count: 5 })
  expect(trip?.calls).toHaveLength(1)
  expect(trip?.calls[0]).toMatch(/^Bash \{"command":"x{148}…$/)
  expect(trip?.message).not.toContain('xxx')
})

test('the calls of a round are quoted once each', () => {
  const turn = [call('Read', { file_path: 'a' }, 'a'), call('Read', { file_path: 'b' }, 'b')]
  const trip = guard.look(session('go', turn, turn, turn, turn))
  expect(trip).toMatchObject({ tool: 'Read', calls: ['Read {"file_path":"a"}', 'Read {"file_path":"b"}'] })
})

test('a loop that was left is none, and neither is one that the user has answered', () => {
  expect(guard.look(same(5))).toBeDefined()
  expect(guard.look([...same(5), ...session([call('Read', {}, 'x')])])).toBeUndefined()
  expect(guard.look([...same(5), ...session('go on')])).toBeUndefined()
  expect(guard.look([...same(5), ...session('go on'), ...same(4).slice(1)])).toBeUndefined()
})

test('a reminder for the model beside the results does not hide the loop', () => {
  const reminded = same(5).map((message): HubMessage =>
    message.role === 'user' && typeof message.content === 'object'
      ? {
          role: 'user',
          content: [...message.content, { type: 'text', text: '<system-reminder>loop</system-reminder>' }],
        }
      : message,
  )
  expect(guard.look(reminded)).toMatchObject({ count: 5 })
})

test('the number of repetitions can be chosen, and the others follow it unless they are chosen too', () => {
  const strict = createLoopGuard({ mode: 'warn', repeats: 3 })
  expect(strict.look(same(2))).toBeUndefined()
  expect(strict.look(same(3))).toMatchObject({ mode: 'warn', count: 3 })
  const inTurn = session(
    'go',
    ...times(6, (index) => call('Read', { file_path: index % 2 ? 'a' : 'b' }, index % 2 ? 'a' : 'b')),
  )
  expect(strict.look(inTurn.slice(0, -4))).toMatchObject({ kind: 'alternation', count: 2 })
  expect(createLoopGuard({ mode: 'warn', repeats: 3, rounds: 3 }).look(inTurn.slice(0, -4))).toBeUndefined()
  expect(createLoopGuard({ mode: 'warn', repeats: 3, rounds: 3 }).look(inTurn)).toMatchObject({ count: 3 })
  const alike = session('go', ...times(6, (index) => call('Grep', { pattern: `foo${index}` }, 'none')))
  expect(strict.look(alike)).toMatchObject({ kind: 'similar_calls', count: 6 })
  expect(createLoopGuard({ mode: 'warn', repeats: 3, similar: 7 }).look(alike)).toBeUndefined()
})

test('exempt tools may repeat themselves, alone or in turn', () => {
  const exempt = createLoopGuard({ mode: 'stop', exemptTools: ['Bash', 'mcp__browser__*', 'a.b'] })
  expect(exempt.look(same(50))).toBeUndefined()
  expect(exempt.look(same(50, 'mcp__browser__snapshot'))).toBeUndefined()
  expect(exempt.look(same(5, 'BashOther'))).toBeDefined()
  expect(exempt.look(same(5, 'aXb'))).toBeDefined()
  const inTurn = times(10, (index) => call(index % 2 ? 'Bash' : 'Read', {}, 'x'))
  expect(exempt.look(session('go', ...inTurn))).toBeUndefined()
  expect(guard.look(session('go', ...inTurn))).toBeDefined()
})

test('a failure between equal results makes none of them new', () => {
  const steps = times(15, (index) =>
    index % 2 ? failing('Fetch', { url: 'a' }, 'reset') : call('Fetch', { url: 'a' }, 'x'),
  )
  expect(guard.look(session('go', ...steps))).toMatchObject({ kind: 'same_call' })
})

test('the guard keeps nothing: the same history gives the same, whatever it saw before', () => {
  const used = createLoopGuard({ mode: 'stop' })
  for (let round = 0; round < 10; round++) expect(used.look(same(4))).toBeUndefined()
  expect(used.look(same(5))).toEqual(guard.look(same(5)))
})

test('news in every result is never a loop, whatever is called', () => {
  const steps = fc.array(
    fc.record({ tool: fc.constantFrom('A', 'B'), input: fc.integer({ max: 2, min: 0 }) }),
  )
  fc.assert(
    fc.property(steps, (made) => {
      const turns = made.map(({ tool, input }, index) => [call(tool, { input }, `news ${index}`)])
      expect(guard.look(session('go', ...turns))).toBeUndefined()
    }),
  )
})

test('after any work, the same call over and over is a loop in the end', () => {
  const work = fc.array(
    fc.record({
      tool: fc.constantFrom('A', 'B'),
      input: fc.integer({ max: 2, min: 0 }),
      output: fc.string(),
    }),
  )
  fc.assert(
    fc.property(work, (made) => {
      const before = made.map(({ tool, input, output }) => [call(tool, { input }, output)])
      const loop = times(5, () => call('Bash', { command: 'ls' }, 'a.ts'))
      expect(guard.look(session('go', ...before, ...loop))).toMatchObject({ tool: 'Bash', count: 5 })
    }),
  )
})

test.each([
  ['git status', 'git status --short', true],
  ['a', 'a', true],
  ['', 'x'.repeat(12), true],
  ['', 'x'.repeat(13), false],
  ['x'.repeat(100), `${'x'.repeat(50)}${'y'.repeat(25)}${'x'.repeat(50)}`, true],
  ['read the first of them', 'write what was said of it', false],
])('%j and %j are alike: %s', (one, other, alike) => {
  expect(isSimilar(one, other)).toBe(alike)
  expect(isSimilar(other, one)).toBe(alike)
})
