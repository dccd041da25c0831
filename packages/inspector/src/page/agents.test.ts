import type { TapedExchange } from '@hydra/tape'
import { expect, test } from 'vitest'
import type { ExchangeSummary } from '../summary/session-summary.ts'
import { Agents } from './agents.ts'

function kindsOf(calls: readonly { readonly agent?: string; readonly continues?: number }[]): string[] {
  const agents = new Agents()
  return calls.map(({ agent, continues }, index) => {
    const headers = agent === undefined ? {} : { 'x-claude-code-agent-id': agent }
    const exchange = { request: { headers } } as unknown as TapedExchange
    const request = { tools: 1, continues: continues === undefined ? undefined : { exchange: continues } }
    const summary = { number: index + 1, request } as unknown as ExchangeSummary
    const { kind, id } = agents.of(exchange, summary)
    return id === undefined ? kind : `${kind} ${id}`
  })
}

test('a lead that goes on behind a sub-agent with its own conversation stays the lead', () => {
  const calls = [{}, { agent: 'a1', continues: 1 }, { agent: 'a1', continues: 2 }, { continues: 3 }]
  expect(kindsOf(calls)).toEqual(['main', 'subagent a1', 'subagent a1', 'main'])
})
