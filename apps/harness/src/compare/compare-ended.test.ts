import { expect, test } from 'vitest'
import { callOf, errorEvent } from '../../test/exchanges.ts'
import { compareEnded } from './compare-ended.ts'
import type { Answer } from './normalize-answer.ts'

const BROKEN = { calls: [callOf({ ended: 'aborted' })], request: undefined }
const WHOLE = { calls: [callOf({})], request: undefined }

function failing(message: string, { status = 200, text = 'Hello' } = {}): Answer {
  const delta = [
    {
      type: 'message_start',
      message: { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage: {} },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('')
  return {
    status,
    headers: { 'content-type': 'text/event-stream' },
    chunks: [{ bytes: Buffer.from(delta + errorEvent({ message })) }],
    ended: 'aborted',
  }
}

test('the words for a broken connection make no difference, those of an upstream do', () => {
  const [one, other] = [failing('broke (ECONNRESET)'), failing('broke (UND_ERR_SOCKET)')]
  expect(compareEnded(one, other, BROKEN)).toBeUndefined()
  expect(compareEnded(one, other, WHOLE)?.where).toContain('error.message')
  expect(compareEnded(one, other, { calls: [], request: undefined })?.where).toContain('error.message')
})

test('what came before a connection broke still counts', () => {
  const found = compareEnded(failing('a'), failing('b', { text: 'Hullo' }), BROKEN)
  expect(found).toMatchObject({ expected: '"Hello"', actual: '"Hullo"' })
})

test('an error may come before or after the first words, but its status is not any', () => {
  expect(compareEnded(failing('a'), failing('a', { status: 502 }), BROKEN)).toBeUndefined()
  const found = compareEnded(failing('a', { status: 429 }), failing('a', { status: 529 }), WHOLE)
  expect(found?.where).toBe('status')
})
