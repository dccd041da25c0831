import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { blocksOf, type HubMessage } from '@hydra/core'
import { countTokens } from '@hydra/tokens'
import { isLegal } from '../../core/src/history/is-legal.ts'
import { Conversation } from './conversation.ts'
import type { CountTokens, Trim, Trimmed } from './trim.ts'
import { trimByTokens, trimByTurns, trimToolResults } from './trim-strategies.ts'

const NEEDS = { consecutiveTurns: 'keep', firstTurn: 'user' } as const

/** A message of text costs its length, a result or a call ten. */
const count: CountTokens = ({ messages }) =>
  messages.flatMap(blocksOf).reduce((total, block) => {
    if (block.type === 'text') return total + block.text.length
    return total + (block.type === 'tool_result' ? JSON.stringify(block.content).length - 2 : 10)
  }, 0)

function user(content: string): HubMessage {
  return { role: 'user', content }
}

function says(content: string): HubMessage {
  return { role: 'assistant', content }
}

function round(id: string, content: string = 'r'.repeat(100)): HubMessage[] {
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
  ]
}

const HISTORY: readonly HubMessage[] = [
  user('first'),
  ...round('a'),
  says('one'),
  { role: 'system', content: 'A rule.' },
  user('second'),
  ...round('b'),
  says('two'),
  user('third'),
  ...round('c'),
  ...round('d'),
]

function trimmed(trim: Trim, messages: readonly HubMessage[] = HISTORY): Trimmed & { said: string } {
  const result = new Conversation({ system: 'S', messages }).trimmed(trim)
  return { ...result, said: outline(result.messages) }
}

function outline(messages: readonly HubMessage[]): string {
  const words = messages.flatMap((message) =>
    blocksOf(message).map((block) => {
      if (block.type === 'text') return block.text
      return block.type === 'tool_use' ? `${block.id}?` : ''
    }),
  )
  return words.filter((word) => word !== '').join(' ')
}

test('by turns: the latest turns stay whole, system messages too, and all that goes is noted', () => {
  const { said, notes } = trimmed(trimByTurns(2))
  expect(said).toBe('A rule. second b? two third c? d?')
  expect(notes.map(({ code, path }) => `${code} ${path}`)).toEqual([
    'message_trimmed messages[0]',
    'message_trimmed messages[1]',
    'message_trimmed messages[2]',
    'message_trimmed messages[3]',
  ])
  expect(trimmed(trimByTurns(1)).said).toBe('A rule. third c? d?')
  expect(trimmed(trimByTurns(0)).said).toBe('A rule. third c? d?')
  expect(trimmed(trimByTurns(3))).toMatchObject({ said: outline(HISTORY), notes: [] })
  expect(trimmed(trimByTurns(9)).messages).toEqual(HISTORY)
})

test('by tokens: oldest turns first, then the oldest rounds of the latest turn, never the last round', () => {
  expect(trimmed(trimByTokens({ limit: 10_000, count }))).toMatchObject({ said: outline(HISTORY), notes: [] })
  expect(trimmed(trimByTokens({ limit: 400, count })).said).toBe('A rule. second b? two third c? d?')
  expect(trimmed(trimByTokens({ limit: 300, count })).said).toBe('A rule. third c? d?')
  expect(trimmed(trimByTokens({ limit: 200, count })).said).toBe('A rule. third d?')
  const { said, notes } = trimmed(trimByTokens({ limit: 1, count }))
  expect(said).toBe('A rule. third d?')
  expect(notes.at(-1)).toMatchObject({ code: 'still_too_long' })
})

test('oldest tool results first: the calls stay, and their results say that they were removed', () => {
  const { messages, notes, said } = trimmed(trimToolResults({ limit: 350, count }))
  expect(said).toBe(outline(HISTORY))
  expect(notes.map(({ code, path }) => `${code} ${path}`)).toEqual([
    'result_trimmed messages[2].content[0]',
    'result_trimmed messages[7].content[0]',
    'result_trimmed messages[11].content[0]',
    'still_too_long ',
  ])
  expect(JSON.stringify(messages[2])).toContain('removed to save room')
  expect(JSON.stringify(messages.at(-1))).toContain('rrrr')
  expect(isLegal(messages, NEEDS)).toBe(true)
})

test('a reminder beside results is no turn of the user', () => {
  const reminder: HubMessage = {
    role: 'user',
    content: [{ type: 'text', text: '<system-reminder>\nx\n</system-reminder>' }],
  }
  const { said } = trimmed(trimByTokens({ limit: 1, count }), [...HISTORY, reminder])
  expect(said).toContain('third')
})

test('a strategy that separates a call from its result is refused, and so is one that drops the user', () => {
  expect(() => trimmed(({ messages }) => messages.slice(0, -1))).toThrow('call d has lost its result')
  const behind = HISTORY.findIndex(({ content }) => content === 'third') + 1
  expect(() => trimmed(({ messages }) => messages.slice(behind))).toThrow('latest turn of the user')
  expect(() => trimmed(({ messages }) => messages.toSpliced(1, 1))).toThrow('result of a has lost its call')
})

test('the token counter of the package fits', () => {
  const { notes } = trimmed(trimByTokens({ limit: 60, count: countTokens }))
  expect(notes.length).toBeGreaterThan(0)
})

const turn = fc
  .record({
    words: fc.string({ maxLength: 20 }),
    rounds: fc.array(fc.nat(200), { maxLength: 4 }),
    end: fc.boolean(),
  })
  .map(({ words, rounds, end }) => ({ words: `u${words}`, rounds, end }))

function historyOf(
  turns: readonly { words: string; rounds: readonly number[]; end: boolean }[],
): HubMessage[] {
  return turns.flatMap(({ words, rounds, end }, at) => [
    user(words),
    ...rounds.flatMap((length, index) => round(`${at}_${index}`, 'x'.repeat(length))),
    ...(end ? [says('ok')] : []),
  ])
}

test('whatever is trimmed: the history stays legal, the latest turn of the user stays, what is gone is noted', () => {
  const strategies = fc.oneof(
    fc.nat(5).map((turns) => trimByTurns(turns)),
    fc.nat(800).map((limit) => trimByTokens({ limit, count })),
    fc.nat(800).map((limit) => trimToolResults({ limit, count })),
  )
  fc.assert(
    fc.property(fc.array(turn, { minLength: 1, maxLength: 6 }), strategies, (turns, trim) => {
      const messages = historyOf(turns)
      const result = trimmed(trim, messages)
      expect(isLegal(result.messages, NEEDS)).toBe(true)
      expect(result.messages).toContain(
        messages.findLast(({ content }) => typeof content === 'string' && content.startsWith('u')),
      )
      const changed = messages.filter((message) => !result.messages.includes(message)).length
      const noted = new Set(
        result.notes.filter(({ path }) => path !== '').map(({ path }) => path.split('.')[0]),
      )
      expect(noted.size).toBe(changed)
    }),
  )
})
