import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Notes } from '../hub/note.ts'
import type { HubBlock, HubMessage } from '../hub/request.ts'
import { blocksOf } from '../hub/request.ts'
import { pairing } from './pairing.ts'
import type { HistoryNeeds } from './repair.ts'
import { repair } from './repair.ts'
import { validate } from './validate.ts'

interface Draft {
  readonly role: HubMessage['role']
  readonly blocks: readonly { readonly kind: 'text' | 'tool'; readonly id: string }[]
  readonly asString: boolean
}

const NEEDS: readonly HistoryNeeds[] = [
  { consecutiveTurns: 'keep', firstTurn: 'any' },
  { consecutiveTurns: 'keep', firstTurn: 'user' },
  { consecutiveTurns: 'merge', firstTurn: 'any' },
  { consecutiveTurns: 'merge', firstTurn: 'user' },
  { consecutiveTurns: 'merge-assistant', firstTurn: 'user', repeatedResults: 'error' },
]

/** Ids that meet often, and that look like those which repair makes. */
const id = fc.constantFrom('a', 'b', 'c', 'a_2', 'a_2_2')

const draft: fc.Arbitrary<Draft> = fc.record({
  role: fc.constantFrom('user', 'user', 'assistant', 'assistant', 'system'),
  blocks: fc.array(fc.record({ kind: fc.constantFrom('text', 'tool', 'tool'), id }), { maxLength: 4 }),
  asString: fc.boolean(),
})

/** A round as it should be, so that long histories are not faulty throughout. */
const goodRound: fc.Arbitrary<Draft[]> = fc.array(id, { minLength: 1, maxLength: 3 }).map((ids) => {
  const blocks = ids.map((one) => ({ kind: 'tool', id: one }) as const)
  return [
    { role: 'assistant', blocks, asString: false },
    { role: 'user', blocks, asString: false },
  ]
})

const history: fc.Arbitrary<HubMessage[]> = fc
  .array(
    fc.oneof(
      draft.map((one) => [one]),
      goodRound,
    ),
    { maxLength: 9 },
  )
  .map((parts) => parts.flat().map(messageFrom))

/** Each text and each call's input is unique, so that it can be found again. */
function messageFrom({ role, blocks, asString }: Draft, messageIndex: number): HubMessage {
  if (asString && blocks[0]?.kind === 'text') return freeze({ role, content: `<${messageIndex}>` })
  const content = blocks.map((block, blockIndex): HubBlock => {
    const mark = `<${messageIndex}.${blockIndex}>`
    if (block.kind === 'text' || role === 'system') return { type: 'text', text: mark }
    if (role === 'assistant') return { type: 'tool_use', id: block.id, name: 'Read', input: { mark } }
    const answer = blockIndex % 2 ? mark : [{ type: 'text', text: mark } as const]
    return { type: 'tool_result', tool_use_id: block.id, content: answer }
  })
  if (role !== 'system') return freeze({ role, content })
  return freeze({ role, content: content.filter((block) => block.type === 'text') })
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze)
  return value
}

function repaired(messages: readonly HubMessage[], needs: HistoryNeeds): readonly HubMessage[] {
  return repair(messages, needs, new Notes())
}

/** All marks of a history, in order. */
function marks(value: unknown): string[] {
  return JSON.stringify(value).match(/<[\d.]+>/g) ?? []
}

/** The marks of the results that a later one replaces. */
function replaced(messages: readonly HubMessage[]): string[] {
  return pairing(messages).calls.flatMap(({ results }) =>
    results.slice(0, -1).flatMap(({ block }) => marks(block)),
  )
}

/** For each call the mark of the result that counts. */
function answers(messages: readonly HubMessage[]): string[] {
  return pairing(messages).calls.map(
    ({ block, results }) => `${marks(block).join()} ${marks(results.at(-1)?.block.content ?? '').join()}`,
  )
}

function allowed({ consecutiveTurns, firstTurn }: HistoryNeeds): string[] {
  const keep = consecutiveTurns !== 'merge' ? ['consecutive_roles'] : []
  return firstTurn === 'any' ? ['first_turn_not_user', ...keep] : keep
}

function forAll(check: (messages: HubMessage[], needs: HistoryNeeds) => void): void {
  fc.assert(
    fc.property(history, fc.constantFrom(...NEEDS), (messages, needs) => check(messages, needs)),
    { numRuns: 1500 },
  )
}

/** The role of the last turn, system messages aside. */
function lastRole(messages: readonly HubMessage[]): string | undefined {
  return messages.findLast(({ role }) => role !== 'system')?.role
}

/** A request may end here: with a turn of the user, and with no result still to come. */
function canEndAt(messages: readonly HubMessage[], end: number): boolean {
  const settled = pairing(messages).calls.every(
    (call) => call.messageIndex >= end || call.results.every(({ messageIndex }) => messageIndex < end),
  )
  return settled && lastRole(messages.slice(0, end)) === 'user'
}

/** The last turn goes on in the next message, so that merging changes it. */
function goesOn(start: readonly HubMessage[], next: readonly HubMessage[]): boolean {
  return lastRole(start) === next.find(({ role }) => role !== 'system')?.role
}

test('a repaired history has no faults but those the target takes', () => {
  forAll((messages, needs) => {
    const codes = validate(repaired(messages, needs)).map(({ code }) => code)
    expect(codes.filter((code) => !allowed(needs).includes(code))).toEqual([])
  })
})

test('each call is answered directly after its turn, in the order of the calls, before anything else', () => {
  forAll((messages, needs) => {
    const after = repaired(messages, needs)
    for (const [index, message] of after.entries()) {
      const asked = blocksOf(message).flatMap((block) => (block.type === 'tool_use' ? block.id : []))
      if (asked.length === 0) continue
      const next = after[index + 1] ?? { role: 'system' }
      const kinds = blocksOf(next).map((block) =>
        block.type === 'tool_result' ? block.tool_use_id : 'other',
      )
      expect([next.role, ...kinds]).toEqual(['user', ...asked, ...kinds.slice(asked.length).fill('other')])
    }
  })
})

test('no text, call or result is lost or doubled, but for results that a later one replaces', () => {
  forAll((messages, needs) => {
    const gone = new Set(replaced(messages))
    const expected = marks(messages).filter((mark) => !gone.has(mark))
    expect(marks(repaired(messages, needs)).toSorted()).toEqual(expected.toSorted())
  })
})

test('each call keeps its place among the calls and its own result', () => {
  forAll((messages, needs) => {
    expect(answers(repaired(messages, needs))).toEqual(answers(messages))
  })
})

test('system messages are the same objects in the same order', () => {
  forAll((messages, needs) => {
    const before = messages.filter(({ role }) => role === 'system')
    const after = repaired(messages, needs).filter(({ role }) => role === 'system')
    expect(after).toHaveLength(before.length)
    before.forEach((message, index) => expect(after[index]).toBe(message))
  })
})

test('a fault that was mended leaves a note', () => {
  forAll((messages, needs) => {
    const notes = new Notes()
    repair(messages, needs, notes)
    const faults = validate(messages).filter(({ code }) => !allowed(needs).includes(code))
    expect(notes.list.length > 0 || faults.length === 0).toBe(true)
  })
})

test('a repaired history is passed on as the same objects without notes', () => {
  forAll((messages, needs) => {
    const once = repaired(messages, needs)
    const notes = new Notes()
    const twice = repair(once, needs, notes)
    expect(notes.list).toEqual([])
    expect(twice).toHaveLength(once.length)
    once.forEach((message, index) => expect(twice[index]).toBe(message))
  })
})

test('a longer history of the same conversation begins with the same messages', () => {
  let compared = 0
  forAll((messages, needs) => {
    const whole = repaired(messages, needs)
    for (let end = 1; end < messages.length; end++) {
      if (!canEndAt(messages, end)) continue
      const start = repaired(messages.slice(0, end), needs)
      if (needs.consecutiveTurns !== 'keep' && goesOn(start, messages.slice(end))) continue
      compared++
      expect(whole.slice(0, start.length)).toEqual(start)
    }
  })
  expect(compared).toBeGreaterThan(500)
})

test('calls and results are paired as a search backwards from each result pairs them', () => {
  forAll((messages) => {
    const { calls, orphans } = pairing(messages)
    const taken = new Set<string>()
    const expected = placed(messages, 'user').map(({ block, place, messageIndex }) => {
      const earlier = placed(messages.slice(0, messageIndex), 'assistant').filter(
        (one) => one.block === block,
      )
      const turn = earlier.filter((one) => one.messageIndex === earlier.at(-1)?.messageIndex)
      const call = turn.find((one) => !taken.has(one.place)) ?? turn.at(-1)
      if (call !== undefined) taken.add(call.place)
      return `${place} ${call?.place}`
    })
    const found = [
      ...orphans.map((result) => `${placeOf(result)} undefined`),
      ...calls.flatMap((call) => call.results.map((result) => `${placeOf(result)} ${placeOf(call)}`)),
    ]
    expect(found.toSorted()).toEqual(expected.toSorted())
  })
})

interface PlacedId {
  readonly block: string
  readonly place: string
  readonly messageIndex: number
}

/** The ids of the calls or results of one role with their places. */
function placed(messages: readonly HubMessage[], role: 'user' | 'assistant'): PlacedId[] {
  return messages.flatMap((message, messageIndex) =>
    blocksOf(message).flatMap((block, blockIndex): PlacedId[] => {
      if (message.role !== role || (block.type !== 'tool_use' && block.type !== 'tool_result')) return []
      const own = block.type === 'tool_use' ? block.id : block.tool_use_id
      return [{ block: own, place: placeOf({ messageIndex, blockIndex }), messageIndex }]
    }),
  )
}

function placeOf({ messageIndex, blockIndex }: { messageIndex: number; blockIndex: number }): string {
  return `${messageIndex}.${blockIndex}`
}
