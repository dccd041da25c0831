import { expect, test } from 'vitest'
import type { HubBlock, HubMessage } from '../hub/request.ts'
import { pairing } from './pairing.ts'

const user = (...content: HubBlock[]): HubMessage => ({ role: 'user', content })
const assistant = (...content: HubBlock[]): HubMessage => ({ role: 'assistant', content })
const call = (id: string): HubBlock => ({ type: 'tool_use', id, name: 'Read', input: {} })
const result = (id: string): HubBlock => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })
const words: HubBlock = { type: 'text', text: 'words' }

/** Each call as `message.block`, with its results as `message.block`. */
function places(messages: HubMessage[]): Record<string, string[]>[] {
  return pairing(messages).calls.map((slot) => ({
    [`${slot.messageIndex}.${slot.blockIndex}`]: slot.results.map((r) => `${r.messageIndex}.${r.blockIndex}`),
  }))
}

test('a call and its result stand with their places and blocks', () => {
  const asked = call('a')
  const answered = result('a')
  const messages = [user(words), assistant(words, asked), user(answered)]
  expect(pairing(messages).calls).toEqual([
    {
      messageIndex: 1,
      blockIndex: 1,
      block: asked,
      results: [{ messageIndex: 2, blockIndex: 0, block: answered, follows: 1 }],
    },
  ])
  expect(pairing(messages).orphans).toEqual([])
})

test('a result belongs to the latest turn before it that has a call of its id', () => {
  const messages = [assistant(call('a')), user(result('a')), assistant(call('a')), user(result('a'))]
  expect(places(messages)).toEqual([{ '0.0': ['1.0'] }, { '2.0': ['3.0'] }])
})

test('a late result of an id that was used again belongs to the later call', () => {
  const messages = [assistant(call('a')), user(words), assistant(call('a')), user(result('a'))]
  expect(places(messages)).toEqual([{ '0.0': [] }, { '2.0': ['3.0'] }])
})

test('two calls of one id in a turn take the results one by one, and the last takes what is left', () => {
  const messages = [
    assistant(call('a'), call('b'), call('a')),
    user(result('a'), result('b'), result('a'), result('a')),
  ]
  expect(places(messages)).toEqual([{ '0.0': ['1.0'] }, { '0.1': ['1.1'] }, { '0.2': ['1.2', '1.3'] }])
})

test('every result of a call is kept in order', () => {
  const messages = [assistant(call('a')), user(result('a')), assistant(words), user(words, result('a'))]
  expect(places(messages)).toEqual([{ '0.0': ['1.0', '3.1'] }])
  expect(pairing(messages).calls[0]?.results.map(({ follows }) => follows)).toEqual([0, 2])
})

test('a result before its call is an orphan', () => {
  const orphan = result('a')
  const { calls, orphans } = pairing([user(orphan), assistant(call('a'))])
  expect(calls[0]?.results).toEqual([])
  expect(orphans).toEqual([{ messageIndex: 0, blockIndex: 0, block: orphan, follows: -1 }])
})

test('calls count in assistant turns only, results in user turns only', () => {
  const { calls, orphans } = pairing([
    user(call('a')),
    assistant(result('a')),
    { role: 'user', content: 'words' },
  ])
  expect({ calls, orphans }).toEqual({ calls: [], orphans: [] })
})

test('system messages, also without content, do not stand between a call and its result', () => {
  const messages: HubMessage[] = [assistant(call('a')), { role: 'system' }, user(result('a'))]
  expect(pairing(messages).calls[0]?.results[0]?.follows).toBe(0)
})
