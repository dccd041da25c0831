import { expect, test } from 'vitest'
import type { ExchangeEntry } from '../src/page/page-data.ts'
import { findingsOf } from './findings.ts'
import { USUAL_ENTRY } from './usual-entry.ts'

/** Exchanges of one conversation, each as usual but for what is given. */
function told(...differences: readonly Partial<ExchangeEntry>[]): string[] {
  const entries = differences.map((difference, index) =>
    Object.assign({ ...USUAL_ENTRY, number: index + 1, id: `live-${index + 1}` }, difference),
  )
  return findingsOf(entries).map(({ words, place }) => `${place.id} ${place.tab}: ${words}`)
}

const CACHED = { input: 200, fromCache: 1800, toCache: 0, output: 5 }
const MISSED = { input: 2000, fromCache: 0, toCache: 0, output: 5 }

test('of a session in which all is well nothing is told', () => {
  expect(told({}, { continues: 1, tokens: CACHED })).toEqual([])
})

test('a call that found nothing in a cache that others were served from', () => {
  expect(told({ tokens: CACHED }, { continues: 1, tokens: MISSED })).toEqual([
    'live-2 Context: 1 call found nothing in the cache (2,000 tokens at full price); what changed before #2?',
  ])
})

test('an upstream that has no cache missed none', () => {
  expect(told({ tokens: MISSED }, { continues: 1, tokens: MISSED })).toEqual([])
})

test('calls that failed, that were tried again, that another model answered, and that waited long', () => {
  expect(
    told(
      { state: 'error', status: 429 },
      { attempts: 3 },
      { asked: 'a', called: 'b' },
      { firstToken: 9_000_000 },
      { notes: ['field_ignored'] },
    ),
  ).toEqual([
    'live-1 Conversation: 1 call did not end well; #1 was the first with status 429',
    'live-3 Facts: a was asked for, and b answered',
    'live-2 Facts: 1 call needed more than one try; #2 needed 3',
    'live-4 Timing: #4 waited 9.0\u00a0s for its first token',
    'live-5 Facts: Hydra changed something on the way in 1 call: field_ignored',
  ])
})

test('a call that cost most of everything', () => {
  expect(told({ cost: 0.01 }, { cost: 0.01 }, { cost: 0.01 }, { cost: 0.5 })).toEqual([
    'live-4 Context: #4 cost $0.500 of $0.530; see what fills its context',
  ])
})
