import { expect, test } from 'vitest'
import { type AskedRequest, toolDrift } from './tool-results.ts'

function asked(...results: readonly string[]): AskedRequest {
  const calls = results.map((_text, index) => ({
    id: `c${index}`,
    type: 'function',
    function: { name: `tool${index}`, arguments: '{}' },
  }))
  const messages = [
    { role: 'user', content: 'Go' },
    { role: 'assistant', tool_calls: calls },
    ...results.map((content, index) => ({ role: 'tool', tool_call_id: `c${index}`, content })),
  ]
  const body = Buffer.from(JSON.stringify({ model: 'm', messages }))
  return { path: '/v1/chat/completions', body }
}

test.each([
  ['took 1.2 s', 'took 3 s', 'small'],
  ['Chunk ID: aedcda, at 2026-11-18', 'Chunk ID: 05faaa, at 2026-11-19', 'small'],
  ['in /tmp/run-1/x', 'in /tmp/run-abc/x', 'small'],
  ['a.txt', 'a.txt b.txt', 'large'],
])('%s and %s differ a %s bit', (then, now, size) => {
  expect(toolDrift(asked(then, 'same'), asked(now, 'same'))).toEqual([
    { tool: 'tool0', size, recorded: then, came: now },
  ])
})

test('a result that is missing is a large difference', () => {
  expect(toolDrift(asked('one', 'two'), asked('one'))).toMatchObject([{ tool: 'tool1', size: 'large' }])
})

test('what is no request for an answer has no results', () => {
  const list = { path: '/v1/models', body: Buffer.from('') }
  expect(toolDrift(list, list)).toEqual([])
})
