import { expect, test } from 'vitest'
import { HubError, stopFor, usageOf } from '@hydra/core'
import type { PartEvent } from './answer-part.ts'
import { PartsTracker } from './parts-tracker.ts'

/** What a listener heard: the kind of event, the place, and what the part held at that moment. */
function listening(): { heard: string[]; onEvent: (event: PartEvent) => void } {
  const heard: string[] = []
  return {
    heard,
    onEvent: ({ type, index, part }) =>
      heard.push(`${type} ${index} ${part.type} ${JSON.stringify(part.text)}`),
  }
}

test('each change is told while it happens, with the arguments as they grow', () => {
  const { heard, onEvent } = listening()
  const tracker = new PartsTracker({ onEvent })
  tracker.messageStart({ id: 'msg_1', model: 'm', usage: usageOf({}) })
  tracker.blockStart({ type: 'thinking' })
  tracker.thinking('Hm.')
  tracker.signature('signed')
  tracker.blockStop()
  tracker.blockStart({ type: 'text' })
  tracker.text('Let me ')
  tracker.text('look.')
  tracker.blockStop()
  tracker.blockStart({ type: 'tool_use', id: 'a', name: 'Read' })
  tracker.inputJson('{"path"')
  tracker.inputJson(':"x"}')
  tracker.blockStop()
  tracker.messageStop(stopFor('tool_use'), usageOf({ output_tokens: 3 }))
  tracker.result({ type: 'tool_result', tool_use_id: 'a', content: 'words' })
  expect(heard).toEqual([
    'started 0 thinking ""',
    'delta 0 thinking "Hm."',
    'completed 0 thinking "Hm."',
    'started 1 text ""',
    'delta 1 text "Let me "',
    'delta 1 text "Let me look."',
    'completed 1 text "Let me look."',
    'started 2 tool_call ""',
    'delta 2 tool_call "{\\"path\\""',
    'delta 2 tool_call "{\\"path\\":\\"x\\"}"',
    'completed 2 tool_call "{\\"path\\":\\"x\\"}"',
    'result 2 tool_call "{\\"path\\":\\"x\\"}"',
  ])
  expect(tracker.parts.map(({ block }) => block)).toMatchObject([
    { type: 'thinking', thinking: 'Hm.', signature: 'signed' },
    { type: 'text', text: 'Let me look.' },
    { type: 'tool_use', id: 'a', name: 'Read', input: { path: 'x' } },
  ])
  expect(tracker.calls).toMatchObject([{ id: 'a', isComplete: true, result: { content: 'words' } }])
  expect(tracker.stop?.stop_reason).toBe('tool_use')
  expect(tracker.usage?.output_tokens).toBe(3)
  expect(tracker.head?.id).toBe('msg_1')
})

test('an error leaves what came, and the open part incomplete', () => {
  const tracker = new PartsTracker()
  tracker.blockStart({ type: 'text' })
  tracker.text('One')
  tracker.blockStop()
  tracker.blockStart({ type: 'tool_use', id: 'a', name: 'Read' })
  tracker.inputJson('{"pa')
  tracker.error(new HubError('api_error', 'it broke'))
  expect(tracker.parts.map(({ isComplete }) => isComplete)).toEqual([true, false])
  expect(tracker.parts[1]?.text).toBe('{"pa')
  expect(tracker.failure?.message).toBe('it broke')
  expect(tracker.stop).toBeUndefined()
})

test('what comes after the end is not heard', () => {
  const { heard, onEvent } = listening()
  const tracker = new PartsTracker({ onEvent })
  tracker.error(new HubError('api_error', 'it broke'))
  tracker.blockStart({ type: 'text' })
  tracker.text('late')
  tracker.messageStop(stopFor('end_turn'), usageOf({}))
  expect(heard).toEqual([])
  expect(tracker.parts).toEqual([])
  expect(tracker.stop).toBeUndefined()
})

test('a call with the id of an earlier one, or with none, gets an id of its own, and that is noted', () => {
  const tracker = new PartsTracker({ usedIds: new Set(['a', 'a_2']) })
  for (const id of ['a', 'a', '', 'b', '']) tracker.blockStart({ type: 'tool_use', id, name: 'Read' })
  expect(tracker.calls.map(({ id }) => id)).toEqual(['a_3', 'a_4', 'call', 'b', 'call_2'])
  expect(tracker.calls.map(({ block }) => (block.type === 'tool_use' ? block.id : ''))).toEqual(
    tracker.calls.map(({ id }) => id),
  )
  expect(tracker.notes.map(({ code, path }) => `${code} ${path}`)).toEqual([
    'call_id_distinct content[0].id',
    'call_id_distinct content[1].id',
    'call_id_distinct content[2].id',
    'call_id_distinct content[4].id',
  ])
})

test('a result needs its call, and each call has one', () => {
  const tracker = new PartsTracker()
  tracker.blockStart({ type: 'tool_use', id: 'a', name: 'Read' })
  const result = { type: 'tool_result' as const, content: '' }
  tracker.result({ ...result, tool_use_id: 'a' })
  expect(() => tracker.result({ ...result, tool_use_id: 'a' })).toThrow('call a has its result already')
  expect(() => tracker.result({ ...result, tool_use_id: 'b' })).toThrow('there is no call b')
})

test('blocks of a server and citations are kept as they are', () => {
  const tracker = new PartsTracker()
  tracker.blockStart({ type: 'server_tool_use', id: 's', name: 'web_search' })
  tracker.inputJson('{"query":"x"}')
  tracker.blockStop()
  tracker.blockStart({ type: 'whole', block: { type: 'redacted_thinking', data: 'hidden' } })
  tracker.blockStop()
  tracker.blockStart({ type: 'text' })
  const citation = { type: 'char_location', cited_text: 'x' } as never
  tracker.extra({ type: 'citations_delta', citation })
  tracker.blockStop()
  expect(tracker.parts.map(({ type }) => type)).toEqual(['other', 'other', 'text'])
  expect(tracker.parts.map(({ block }) => block)).toMatchObject([
    { type: 'server_tool_use', input: { query: 'x' } },
    { type: 'redacted_thinking', data: 'hidden' },
    { type: 'text', citations: [citation] },
  ])
})
