import { createLoopGuard, type HubMessage, type HubRequest, type LoopTrip, validate } from '@hydra/core'
import { expect, test } from 'vitest'
import { remind } from './remind.ts'

const CALL: HubMessage = {
  role: 'assistant',
  content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }],
}
const RESULT: HubMessage = {
  role: 'user',
  content: [
    { type: 'tool_result', tool_use_id: 't1', content: 'a.ts', cache_control: { type: 'ephemeral' } },
  ],
}
const HISTORY: readonly HubMessage[] = [{ role: 'user', content: 'go' }, CALL, RESULT]
const TRIP = createLoopGuard({ mode: 'notify', repeats: 1 }).look([
  { role: 'user', content: 'go' },
  ...Array.from({ length: 2 }, () => [CALL, RESULT]).flat(),
]) as LoopTrip

function reminded(...messages: readonly HubMessage[]): HubRequest | undefined {
  return remind({ model: 'm', max_tokens: 1, messages: [...messages] }, TRIP)
}

test('the reminder is the last block of the last turn, behind the results and their cache mark', () => {
  const messages = reminded(...HISTORY)?.messages ?? []
  expect(messages).toHaveLength(3)
  expect(messages.slice(0, 2)).toEqual(HISTORY.slice(0, 2))
  const last = messages[2]?.content as readonly { readonly type: string; readonly text?: string }[]
  expect(last[0]).toBe((RESULT.content as readonly unknown[])[0])
  expect(last[1]?.text).toMatch(/^<system-reminder>\nYou seem to be in a loop: Bash was called 2 times/)
  expect(last[1]?.text).toContain('- Bash {"command":"ls"}')
  expect(validate(messages)).toEqual([])
})

test('the request that came is left as it was', () => {
  const request: HubRequest = { model: 'm', max_tokens: 1, messages: structuredClone([...HISTORY]) }
  remind(request, TRIP)
  expect(request.messages).toEqual(HISTORY)
})

test('a turn that is plain text or empty gets a block beside it', () => {
  const [spoken] = reminded({ role: 'user', content: 'hi' })?.messages ?? []
  expect(spoken?.content).toMatchObject([{ type: 'text', text: 'hi' }, { type: 'text' }])
  const [silent] = reminded({ role: 'user', content: '' })?.messages ?? []
  expect(silent?.content).toHaveLength(1)
})

test('behind a system message the reminder is a turn of its own', () => {
  const messages = reminded(...HISTORY, { role: 'system', content: 'news' })?.messages
  expect(messages?.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'system', 'user'])
})

test('a model that is to go on with its own words is not interrupted', () => {
  expect(reminded(...HISTORY, { role: 'assistant', content: 'I' })).toBeUndefined()
})
