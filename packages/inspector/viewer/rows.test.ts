import { expect, test } from 'vitest'
import type { ExchangeEntry, SessionEntry } from '../src/page/page-data.ts'
import { rowsOf } from './rows.ts'

const SESSION: SessionEntry = {
  key: 's',
  name: 'an id that nobody knows',
  client: 'c',
  source: 'live',
  started: 0,
  problems: [],
}

function entry(number: number, more: Partial<ExchangeEntry>): ExchangeEntry {
  return {
    id: `e${number}`,
    session: 's',
    number,
    agent: { key: 'a', kind: 'main' },
    title: '',
    isTurn: false,
    state: 'clean',
    begun: number,
    span: 0,
    client: 'c',
    notes: [],
    tools: [],
    attempts: 1,
    size: 0,
    ...more,
  }
}

function wordsOf(entries: readonly ExchangeEntry[], isShown: (entry: ExchangeEntry) => boolean): string[] {
  const listed = {
    sessions: new Map([['s', SESSION]]),
    entries: new Map(entries.map((one) => [one.id, one])),
  }
  return rowsOf(listed, isShown).map((row) => {
    if (row.type === 'session') return `session ${row.title}`
    return row.type === 'agent' ? `agent ${row.name}` : `call ${row.entry.number}`
  })
}

test('a session keeps the name that a person knows when the call that it is from is filtered away', () => {
  const entries = [entry(1, { title: 'Mend it.', isTurn: true }), entry(2, { title: 'results of Read' })]
  expect(wordsOf(entries, ({ number }) => number === 2)).toEqual(['session Mend it.', 'call 2'])
})

test('next to a sub-agent the one that started it is the lead', () => {
  const entries = [
    entry(1, { title: 'Mend it.', isTurn: true }),
    entry(2, { title: 'Look.', isTurn: true, agent: { key: 'b', kind: 'subagent', id: 'a1' } }),
  ]
  expect(wordsOf(entries, () => true)).toEqual([
    'session Mend it.',
    'agent lead',
    'call 1',
    'agent sub-agent: Look.',
    'call 2',
  ])
})

test('what is not read yet stays with the agent that began the session', () => {
  const entries = [
    entry(1, { title: 'Mend it.', isTurn: true }),
    entry(2, { title: 'Look.', isTurn: true, agent: { key: 'b', kind: 'subagent', id: 'a1' } }),
    entry(3, { agent: { key: 'unread', kind: 'main' } }),
  ]
  expect(wordsOf(entries, () => true).filter((words) => words.startsWith('agent'))).toEqual([
    'agent lead',
    'agent sub-agent: Look.',
  ])
})
