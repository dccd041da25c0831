import { expect, test } from 'vitest'
import type { HubMessage } from '@hydra/core'
import { Conversation } from './conversation.ts'

// The examples of the note on endless loops: a result that is lost in a merge makes the model call again.

function use(id: string): HubMessage {
  return { role: 'assistant', content: [{ type: 'tool_use', id, name: 'git', input: { id } }] }
}

function gave(id: string): HubMessage {
  return { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: `result of ${id}` }] }
}

const M: HubMessage = { role: 'user', content: 'Was index.html committed?' }

function outline(...messages: readonly HubMessage[]): string[] {
  return new Conversation({ messages }).toOpenAI().messages.map((message) => {
    if (message.role === 'tool') return `tool ${message.tool_call_id}`
    const made = message.role === 'assistant' ? (message.tool_calls ?? []) : []
    return [message.role, ...made.map(({ id }) => id)].join(' ')
  })
}

test('user, call, result: three messages in this order', () => {
  expect(outline(M, use('t1'), gave('t1'))).toEqual(['user', 'assistant t1', 'tool t1'])
})

test('two rounds stay apart', () => {
  const rounds = outline(M, use('t1'), gave('t1'), use('t2'), gave('t2'))
  expect(rounds).toEqual(['user', 'assistant t1', 'tool t1', 'assistant t2', 'tool t2'])
})

test('a result and a question that follows it are two messages, and neither moves above the first question', () => {
  const followUp: HubMessage = { role: 'user', content: 'And the tests?' }
  const answer: HubMessage = { role: 'assistant', content: [{ type: 'text', text: 'They pass.' }] }
  expect(outline(M, use('t1'), gave('t1'), followUp, answer)).toEqual([
    'user',
    'assistant t1',
    'tool t1',
    'user',
    'assistant',
  ])
})

test('three user messages in a row (a result, a result, a question): both results and the question arrive', () => {
  const calls: HubMessage = {
    role: 'assistant',
    content: ['t1', 't2'].map((id) => ({ type: 'tool_use' as const, id, name: 'git', input: {} })),
  }
  const messages = [M, calls, gave('t1'), gave('t2'), M]
  expect(outline(...messages)).toEqual(['user', 'assistant t1 t2', 'tool t1', 'tool t2', 'user'])
  const conversation = new Conversation({ messages })
  expect(Conversation.fromOpenAI(conversation.toOpenAI()).messages).toEqual(messages)
})
