import { expect, test } from 'vitest'
import type { HubBlock, HubMessage } from '../hub/request.ts'
import { validate } from './validate.ts'

const user = (...content: HubBlock[]): HubMessage => ({ role: 'user', content })
const assistant = (...content: HubBlock[]): HubMessage => ({ role: 'assistant', content })
const system: HubMessage = { role: 'system', content: 'news' }
const call = (id: string): HubBlock => ({ type: 'tool_use', id, name: 'Read', input: {} })
const result = (id: string): HubBlock => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })
const words: HubBlock = { type: 'text', text: 'words' }

function codes(messages: HubMessage[]): string[] {
  return validate(messages).map(({ code, messageIndex }) => `${code} ${messageIndex}`)
}

test('a legal history has no findings', () => {
  const round = [assistant(call('a'), call('b')), user(result('b'), result('a'), words)]
  expect(validate([user(words), ...round, assistant(words), user(words)])).toEqual([])
  expect(validate([])).toEqual([])
})

test('the first turn has to be the user’s, system messages aside', () => {
  expect(validate([system, assistant(words)])).toEqual([
    {
      code: 'first_turn_not_user',
      messageIndex: 1,
      message: "expected the first turn to be the user's, got one of the assistant (messages[1])",
    },
  ])
})

test('consecutive turns of one role are found, also around a system message', () => {
  expect(codes([user(words), user(words), assistant(words), system, assistant(words)])).toEqual([
    'consecutive_roles 1',
    'consecutive_roles 4',
  ])
})

test('system messages are legal anywhere', () => {
  const messages = [
    system,
    user(words),
    system,
    assistant(call('a')),
    system,
    user(result('a')),
    system,
    system,
  ]
  expect(validate(messages)).toEqual([])
})

test('a call without a result is found at the call', () => {
  expect(validate([user(words), assistant(words, call('a')), user(words)])).toEqual([
    {
      code: 'call_without_result',
      messageIndex: 1,
      blockIndex: 1,
      message: 'expected a result for call a of Read, got none (messages[1].content[1])',
    },
  ])
})

test('a result without a call is found at the result', () => {
  expect(validate([user(words, result('z'))])).toEqual([
    {
      code: 'result_without_call',
      messageIndex: 0,
      blockIndex: 1,
      message: 'expected a call z before its result, got none (messages[0].content[1])',
    },
  ])
})

test('a result later than the next turn is misplaced', () => {
  const messages = [user(words), assistant(call('a')), user(words), assistant(words), user(result('a'))]
  expect(validate(messages)).toEqual([
    {
      code: 'result_misplaced',
      messageIndex: 4,
      blockIndex: 0,
      message:
        'expected the result of call a in the turn after messages[1].content[0], got it later (messages[4].content[0])',
    },
  ])
})

test('a result behind another assistant message is misplaced', () => {
  const messages = [user(words), assistant(call('a')), assistant(call('b')), user(result('a'), result('b'))]
  expect(codes(messages)).toEqual(['consecutive_roles 2', 'result_misplaced 3'])
})

test('consecutive user messages are one next turn', () => {
  const messages = [
    user(words),
    assistant(call('a'), call('b')),
    user(result('a')),
    system,
    user(result('b')),
  ]
  expect(codes(messages)).toEqual(['consecutive_roles 4'])
})

test('a second result for one call is a duplicate wherever it stands', () => {
  const messages = [user(words), assistant(call('a')), user(result('a')), assistant(words), user(result('a'))]
  expect(validate(messages)).toEqual([
    {
      code: 'duplicate_result',
      messageIndex: 4,
      blockIndex: 0,
      message:
        'expected one result for call a (messages[1].content[0]), got another one (messages[4].content[0])',
    },
  ])
})

test('a call id that was used before is found at each later call', () => {
  const round = [assistant(call('a')), user(result('a'))]
  const findings = validate([user(words), ...round, ...round, ...round])
  expect(findings.map(({ code, messageIndex }) => [code, messageIndex])).toEqual([
    ['duplicate_call_id', 3],
    ['duplicate_call_id', 5],
  ])
  expect(findings[1]?.message).toBe(
    'expected an id of its own for the call at messages[5].content[0], got a as at messages[1].content[0]',
  )
})

test('findings come in the order of the messages and blocks', () => {
  const messages = [assistant(call('a'), call('b')), user(words), user(result('z'), result('y'))]
  expect(
    validate(messages).map(({ code, messageIndex, blockIndex }) => [code, messageIndex, blockIndex]),
  ).toEqual([
    ['first_turn_not_user', 0, undefined],
    ['call_without_result', 0, 0],
    ['call_without_result', 0, 1],
    ['consecutive_roles', 2, undefined],
    ['result_without_call', 2, 0],
    ['result_without_call', 2, 1],
  ])
})
