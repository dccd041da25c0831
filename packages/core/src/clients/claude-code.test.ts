import { expect, test } from 'vitest'
import { unparsedInput, unparsedText } from './claude-code.ts'
import { isSubagent, sessionOfHeaders, sessionOfUserId } from './habits.ts'

test('the session is read from the header of either client', () => {
  expect(sessionOfHeaders({ 'x-claude-code-session-id': 'a', 'session-id': 'b' })).toBe('a')
  expect(sessionOfHeaders({ 'session-id': ['b'] })).toBe('b')
  expect(sessionOfHeaders({})).toBeUndefined()
})

test.each([
  [JSON.stringify({ session_id: 's', device_id: 'd' }), 's'],
  [JSON.stringify({ session_id: '' }), undefined],
  [JSON.stringify({ session_id: 'x'.repeat(70) }), 'x'.repeat(64)],
  ['user_1_account_2_session_abc-1', 'abc-1'],
  ['somebody', undefined],
  ['null', undefined],
])('the session in the user id %j is %j', (userId, session) => {
  expect(sessionOfUserId(userId)).toBe(session)
})

test('only an agent that another one has started has a header for it', () => {
  expect(isSubagent({ 'x-claude-code-agent-id': 'a' })).toBe(true)
  expect(isSubagent({ 'x-claude-code-session-id': 'a' })).toBe(false)
})

test('arguments that are no JSON are found again in the input that was made of them', () => {
  expect(unparsedText(unparsedInput('{"a":'))).toBe('{"a":')
  expect(unparsedText({ a: 1 })).toBeUndefined()
  expect(unparsedText({ __unparsedToolInput: { raw: 1 } })).toBeUndefined()
})
