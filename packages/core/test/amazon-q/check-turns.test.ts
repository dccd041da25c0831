import { expect, test } from 'vitest'
import type { QConversation, QEntry } from '../../src/dialects/amazon-q/wire.ts'
import { faultsOf } from './check-turns.ts'

const HELLO: QEntry = { userInputMessage: { content: 'Hello.' } }
const CALL: QEntry = {
  assistantResponseMessage: { content: '', toolUses: [{ toolUseId: 'a', name: 'Read', input: {} }] },
}

function answering(id: string, text = 'A'): QEntry {
  const result = { toolUseId: id, content: [{ text }], status: 'success' as const }
  return { userInputMessage: { content: '', userInputMessageContext: { toolResults: [result] } } }
}

function state(history: readonly QEntry[], current: QEntry): QConversation {
  const message = 'userInputMessage' in current ? current.userInputMessage : { content: '' }
  return {
    history,
    currentMessage: { userInputMessage: { ...message, modelId: 'm' } },
    chatTriggerType: 'MANUAL',
  }
}

test('a conversation by the rules has no faults', () => {
  expect(faultsOf(state([HELLO, CALL], answering('a')))).toEqual([])
})

test.each<[string, QConversation, string]>([
  ['two turns of the user in a row', state([HELLO], HELLO), 'turn 1 is of the wrong side'],
  ['an assistant that begins', state([CALL], answering('a')), 'turn 0 is of the wrong side'],
  ['a call without a result', state([HELLO, CALL], HELLO), 'turn 2 answers other calls than those before it'],
  ['a result of another call', state([HELLO, CALL], answering('b')), 'turn 2 answers other calls'],
  ['a result without a call', state([], answering('a')), 'turn 0 answers other calls'],
  ['an empty result', state([HELLO, CALL], answering('a', '')), 'turn 2 has a result that says nothing'],
  [
    'the same id twice',
    state([HELLO, CALL, answering('a'), CALL], answering('a')),
    'two calls have the same id',
  ],
  ['silence', state([], { userInputMessage: { content: '' } }), 'turn 0 says nothing'],
  [
    'tools in the history',
    state(
      [{ userInputMessage: { content: 'x', userInputMessageContext: { tools: [] } } }, CALL],
      answering('a'),
    ),
    'entry 0 has tools or a model',
  ],
])('%s is a fault', (_name, conversation, fault) => {
  expect(faultsOf(conversation).join()).toContain(fault)
})
