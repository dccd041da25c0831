import { expect, test } from 'vitest'
import { playTape } from '../src/play/play-tape.ts'
import { EVENT_STREAM, tapeByHand } from './tape-by-hand.ts'

const QUESTION = { role: 'user', content: 'Read the file.' }

function call(path: string): object {
  const args = JSON.stringify({ path })
  return {
    role: 'assistant',
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'read', arguments: args } }],
  }
}

function chat(...messages: readonly object[]): object {
  return { model: 'm', stream: true, messages }
}

test('a session that was recorded in one folder goes on in another one', async () => {
  const tape = tapeByHand(
    {
      body: chat(QUESTION),
      answer: { status: 200, headers: EVENT_STREAM, chunks: ['data: {"a":"/rec', 'orded/app/x"}\n\n'] },
    },
    {
      body: chat(QUESTION, call('/recorded/app/x'), { role: 'tool', tool_call_id: 'c', content: '1' }),
      answer: { status: 200, headers: EVENT_STREAM, chunks: ['data: {}\n\n'] },
    },
  )
  const workspace = { recorded: '/recorded/app', current: '/here/now' }
  await using upstream = await playTape(tape, { workspace })
  const ask = (body: object): Promise<string> =>
    fetch(`${upstream.url}/chat/completions`, { method: 'POST', body: JSON.stringify(body) }).then((it) =>
      it.text(),
    )
  expect(await ask(chat(QUESTION))).toBe('data: {"a":"/here/now/x"}\n\n')
  const result = { role: 'tool', tool_call_id: 'c', content: '1' }
  expect(await ask(chat(QUESTION, call('/here/now/x'), result))).toBe('data: {}\n\n')
  expect(upstream.requests.map((request) => 'by' in request && request.by)).toEqual(['request', 'request'])
})
