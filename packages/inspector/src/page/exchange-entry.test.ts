import { sceneExchange, sceneTape } from '@hydra/testkit'
import { expect, test } from 'vitest'
import { summarizeSession } from '../summary/summarize-session.ts'
import { exchangeEntry } from './exchange-entry.ts'

const FACTS = { id: 'tape-0-1', session: 'tape-0', agent: { key: 'main', kind: 'main' }, origin: 0 } as const

test('the time until the first token counts the tries before the one that was answered', () => {
  const once = sceneExchange({})
  const [answered] = once.calls
  if (answered === undefined) throw new Error('it was not answered')
  const begun = once.moments[0]?.at ?? 0
  const again = { ...answered, request: { ...answered.request, at: begun + 250_000 } }
  const failed = { ...answered, answer: { ...answered.answer, status: 503, chunks: [] } }
  const firstTokens = [[answered], [failed, again]].map((calls) => {
    const exchange = { ...once, calls }
    const { exchanges } = summarizeSession({ ...sceneTape('t', []), exchanges: [exchange] })
    const [summary] = exchanges
    return summary === undefined ? undefined : exchangeEntry(exchange, summary, FACTS).firstToken
  })
  expect(firstTokens[0]).toBeGreaterThan(250_000)
  expect(firstTokens[1]).toBe(firstTokens[0])
})
