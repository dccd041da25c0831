import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { Notes } from '../hub/note.ts'
import type { HubBlock, HubMessage } from '../hub/request.ts'
import type * as Actual from './is-legal.ts'
import type { HistoryNeeds } from './repair.ts'
import { repair } from './repair.ts'
import { validate } from './validate.ts'

// The repair takes the long way here whatever it is given; the question itself is asked of the real one.
vi.mock(import('./is-legal.ts'), () => ({ isLegal: () => false }))
const { isLegal } = await vi.importActual<typeof Actual>('./is-legal.ts')

const KEEP: HistoryNeeds = { consecutiveTurns: 'keep', firstTurn: 'any' }
const MERGE: HistoryNeeds = { consecutiveTurns: 'merge', firstTurn: 'user' }
const NEEDS: readonly HistoryNeeds[] = [
  KEEP,
  MERGE,
  { consecutiveTurns: 'keep', firstTurn: 'user' },
  { consecutiveTurns: 'merge', firstTurn: 'any' },
]

const TEXT: HubBlock = { type: 'text', text: 'x' }

function use(id: string): HubBlock {
  return { type: 'tool_use', id, name: 'Read', input: {} }
}

function result(id: string): HubBlock {
  return { type: 'tool_result', tool_use_id: id, content: 'done' }
}

function user(...content: HubBlock[]): HubMessage {
  return { role: 'user', content }
}

function assistant(...content: HubBlock[]): HubMessage {
  return { role: 'assistant', content }
}

const SYSTEM: HubMessage = { role: 'system', content: 'mind' }

test.each<readonly [string, HubMessage[]]>([
  ['no history', []],
  ['plain turns', [user(TEXT), assistant(TEXT), user(TEXT)]],
  [
    'strings',
    [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ],
  ],
  [
    'results in order, then text',
    [user(TEXT), assistant(use('a'), use('b')), user(result('a'), result('b'), TEXT)],
  ],
  ['a system message between turns', [SYSTEM, user(TEXT), SYSTEM, assistant(TEXT), SYSTEM]],
  ['a system message without content', [user(TEXT), { role: 'system', output_config: { effort: 'low' } }]],
  ['empty turns', [user(), assistant(), { role: 'user', content: '' }]],
])('legal everywhere: %s', (_name, messages) => {
  for (const needs of NEEDS) expect(isLegal(messages, needs)).toBe(true)
})

test.each<readonly [string, HubMessage[]]>([
  ['a call without a result', [user(TEXT), assistant(use('a'))]],
  ['a call that nobody answers', [user(TEXT), assistant(use('a')), user(TEXT)]],
  ['a string where a result is due', [user(TEXT), assistant(use('a')), { role: 'user', content: 'x' }]],
  ['a result without a call', [user(result('a'))]],
  ['a result too many', [user(TEXT), assistant(use('a')), user(result('a'), result('b'))]],
  ['a result twice', [user(TEXT), assistant(use('a')), user(result('a'), result('a'))]],
  ['results in another order', [user(TEXT), assistant(use('a'), use('b')), user(result('b'), result('a'))]],
  ['text before a result', [user(TEXT), assistant(use('a')), user(TEXT, result('a'))]],
  ['too few results', [user(TEXT), assistant(use('a'), use('b')), user(result('a'))]],
  ['a system message before a result', [user(TEXT), assistant(use('a')), SYSTEM, user(result('a'))]],
  [
    'an assistant where a result is due',
    [user(TEXT), assistant(use('a')), assistant(TEXT), user(result('a'))],
  ],
  ['an id twice in one turn', [user(TEXT), assistant(use('a'), use('a')), user(result('a'), result('a'))]],
  [
    'an id again later',
    [user(TEXT), assistant(use('a')), user(result('a')), assistant(use('a')), user(result('a'))],
  ],
])('legal nowhere: %s', (_name, messages) => {
  for (const needs of NEEDS) expect(isLegal(messages, needs)).toBe(false)
})

test('two turns of one side are legal where they stay apart', () => {
  const messages = [user(TEXT), SYSTEM, user(TEXT)]
  expect(isLegal(messages, KEEP)).toBe(true)
  expect(isLegal(messages, MERGE)).toBe(false)
})

test('a first turn of the assistant is legal where anybody may begin', () => {
  expect(isLegal([SYSTEM, assistant(TEXT)], KEEP)).toBe(true)
  expect(isLegal([SYSTEM, assistant(TEXT)], MERGE)).toBe(false)
})

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')

/** Mostly rounds as they should be, so that many histories are legal, and now and then anything. */
const part: fc.Arbitrary<HubMessage[]> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.uniqueArray(id, { maxLength: 3 }), fc.boolean())
      .map(([ids, hasText]) => [
        assistant(TEXT, ...ids.map(use)),
        user(...ids.map(result), ...(hasText || ids.length === 0 ? [TEXT] : [])),
      ]),
  },
  { weight: 2, arbitrary: fc.constant<HubMessage[]>([SYSTEM]) },
  fc.array(fc.oneof(fc.constant(TEXT), id.map(result)), { maxLength: 3 }).map((blocks) => [user(...blocks)]),
  fc
    .array(fc.oneof(fc.constant(TEXT), id.map(use)), { maxLength: 3 })
    .map((blocks) => [assistant(...blocks)]),
)

const history = fc
  .tuple(fc.boolean(), fc.array(part, { maxLength: 4 }))
  .map(([begins, parts]) => (begins ? [user(TEXT)] : []).concat(...parts))

function forAll(check: (messages: HubMessage[], needs: HistoryNeeds) => void): void {
  fc.assert(fc.property(history, fc.constantFrom(...NEEDS), check), { numRuns: 2000, seed: 1 })
}

function allowed({ consecutiveTurns, firstTurn }: HistoryNeeds): string[] {
  const keep = consecutiveTurns === 'keep' ? ['consecutive_roles'] : []
  return firstTurn === 'any' ? ['first_turn_not_user', ...keep] : keep
}

test('what is legal has no fault but those the target takes, and the long way leaves it as it is', () => {
  let legal = 0
  forAll((messages, needs) => {
    if (!isLegal(messages, needs)) return
    legal++
    const codes = validate(messages).map(({ code }) => code)
    expect(codes.filter((code) => !allowed(needs).includes(code))).toEqual([])
    const notes = new Notes()
    const repaired = repair(messages, needs, notes)
    expect(notes.list).toEqual([])
    expect(repaired).toHaveLength(messages.length)
    messages.forEach((message, index) => expect(repaired[index]).toBe(message))
  })
  expect(legal).toBeGreaterThan(400)
})

test('what the long way leaves a note about, or finds a fault in, is not legal', () => {
  let noted = 0
  forAll((messages, needs) => {
    const notes = new Notes()
    repair(messages, needs, notes)
    const faults = validate(messages).filter(({ code }) => !allowed(needs).includes(code))
    if (notes.list.length === 0 && faults.length === 0) return
    noted++
    expect(isLegal(messages, needs)).toBe(false)
  })
  expect(noted).toBeGreaterThan(400)
})
