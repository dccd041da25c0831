import { expect, test } from 'vitest'
import { identifyAgent, withMarker } from './agent.ts'

const MARKED = {
  model: 'm',
  max_tokens: 1,
  system: 'hydra:lead',
  messages: [{ role: 'user', content: 'Hi' } as const],
}

test('name and session come from the headers', () => {
  const headers = { 'user-agent': 'claude-cli/2.1 (external, cli)', 'x-claude-code-session-id': 's1' }
  expect(identifyAgent(headers)).toEqual({ kind: 'client', name: 'claude-cli/2.1', session: 's1' })
  expect(identifyAgent({ 'session-id': 's2' })).toEqual({ kind: 'client', name: 'unknown', session: 's2' })
})

test('an agent that was started by another one is a teammate, whatever its prompt quotes', () => {
  const client = identifyAgent({})
  expect(withMarker(client, MARKED).kind).toBe('lead')
  expect(withMarker(identifyAgent({ 'x-claude-code-agent-id': 'a' }), MARKED).kind).toBe('teammate')
  expect(withMarker(client, { ...MARKED, system: 'none' }).kind).toBe('client')
})
