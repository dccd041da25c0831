import type { ExchangeReport } from '@hydra/gateway'
import { expect, test } from 'vitest'
import { UsualNotes } from './usual-notes.ts'

function report(name: string, ...codes: string[]): ExchangeReport {
  const notes = codes.map((code) => ({ code, path: '', message: '' }))
  return { agent: { kind: 'client', name }, upstream: 'openai', notes } as unknown as ExchangeReport
}

test('a note that a client had in two lines before is usual for it, and for no other', () => {
  const usual = new UsualNotes()
  expect([...usual.take(report('claude', 'a', 'a', 'b'))]).toEqual([])
  expect([...usual.take(report('claude', 'a'))]).toEqual([])
  expect([...usual.take(report('claude', 'a', 'b', 'c'))]).toEqual(['a'])
  expect([...usual.take(report('codex', 'a'))]).toEqual([])
})
