import { expect, test } from 'vitest'
import type { ExchangeEntry } from '../src/page/page-data.ts'
import { toolTimes } from './tool-times.ts'

function entry(number: number, more: Partial<ExchangeEntry>): ExchangeEntry {
  return {
    id: `e${number}`,
    session: 's',
    number,
    agent: { key: 'a', kind: 'main' },
    title: '',
    isTurn: false,
    state: 'clean',
    begun: number * 1000,
    span: 200_000,
    client: 'c',
    notes: [],
    tools: [],
    attempts: 1,
    size: 0,
    ...more,
  }
}

test('tools take the time from the answer that calls them to the request that brings their results', () => {
  const times = toolTimes([
    entry(1, { isTurn: true, tools: ['Bash', 'Read'] }),
    entry(2, { continues: 1 }),
    entry(3, { continues: 2, isTurn: true }),
  ])
  expect([...times]).toEqual([['e2', { names: 'Bash, Read', from: 1200, took: 800 }]])
})

test('what a person typed was not waited for by tools', () => {
  const times = toolTimes([entry(1, { tools: ['Bash'] }), entry(2, { continues: 1, isTurn: true })])
  expect(times.size).toBe(0)
})
