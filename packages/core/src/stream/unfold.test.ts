import { asText } from '../sse/as-text.ts'
import { expect, test } from 'vitest'
import { readStream } from '../../test/streams/grammar.ts'
import { encodeStream } from '../dialects/anthropic/encode-stream.ts'
import { blankMessage } from '../hub/blank.ts'
import type { HubContentBlock, HubResponse } from '../hub/message.ts'
import { stopFor } from '../hub/message.ts'
import { usageOf } from '../hub/usage.ts'
import { unfold } from './unfold.ts'

function unfolded(...content: HubContentBlock[]): ReturnType<typeof readStream> {
  const usage = usageOf({ input_tokens: 3, output_tokens: 4 })
  const message: HubResponse = {
    ...blankMessage({ id: 'msg_1', model: 'm', usage }),
    ...stopFor('end_turn'),
    content,
  }
  const encoder = encodeStream()
  unfold(message, encoder)
  return readStream(asText(encoder.take()))
}

test('a whole message becomes a legal stream with one delta per block', () => {
  const { blocks, end } = unfolded(
    { type: 'thinking', thinking: 'Hm', signature: 's' },
    { type: 'text', text: 'Hi', citations: null },
    { type: 'tool_use', id: 'c', name: 'Read', input: { a: 1 }, caller: { type: 'direct' } },
    { type: 'redacted_thinking', data: 'x' },
  )
  expect(blocks.map(({ start, content, signature }) => [start.type, content, signature])).toEqual([
    ['thinking', 'Hm', 's'],
    ['text', 'Hi', ''],
    ['tool_use', '{"a":1}', ''],
    ['redacted_thinking', '', ''],
  ])
  expect(end?.usage).toMatchObject({ input_tokens: 3, output_tokens: 4 })
})

test('the start says what the prompt cost and that nothing was written yet', () => {
  const [start] = unfolded({ type: 'text', text: 'Hi', citations: null }).events
  expect(start).toMatchObject({ message: { usage: { input_tokens: 3, output_tokens: 0 } } })
})
