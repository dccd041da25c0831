import { expect, test } from 'vitest'
import { registry } from '../dialects/registry.ts'
import { plainReply } from '../dialects/plain-reply.ts'
import { AlongReader } from './along-reader.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const event = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

const TEXT = event({ content: 'Hi' })
const ODD = event({ content: 5 })
const FINISH = event({}, 'stop')
const DONE = 'data: [DONE]\n\n'

function reading(...pieces: readonly string[]): AlongReader {
  const upstream = registry.upstream('openai-chat')
  const reply = plainReply('m', upstream.defaultProfile)
  const reader = new AlongReader({ upstream, reply, messageId: 'msg_1' })
  for (const piece of pieces) reader.push(bytes(piece))
  return reader
}

test.each([
  ['in one push', [TEXT + ODD + TEXT + FINISH + DONE]],
  ['in several', [TEXT, ODD, TEXT, FINISH, DONE]],
  ['as the first event', [ODD, TEXT + FINISH + DONE]],
  ['as the last event before the end', [TEXT + FINISH + ODD, DONE]],
  ['behind the finish, with no other end', [TEXT + FINISH + ODD]],
])('what is not understood is passed over: %s', (_name, pieces) => {
  const reader = reading(...pieces)
  reader.end()
  expect(reader.failure).toBeUndefined()
  expect(reader.started).toBe(true)
  expect(reader.unread?.message).toContain('expected choices[0].delta.content to be a string, got number')
})

test('a stream that breaks off behind it is still a cut', () => {
  const reader = reading(TEXT + ODD + TEXT)
  reader.end()
  expect(reader.failure?.message).toContain('broke off')
})

test('what is no JSON, and what the upstream says is an error, are failures', () => {
  const broken = reading(TEXT + ODD + 'data: {"choi\n\n' + TEXT)
  expect(broken.failure?.message).toContain('an event is not JSON')
  expect(broken.fault.begin).toBe(bytes(TEXT + ODD).length)
  const told = reading(TEXT, ODD + 'data: {"error":{"message":"no more"}}\n\n')
  expect(told.failure?.message).toContain('no more')
  expect(told.fault).toEqual({ begin: bytes(ODD).length, end: bytes(ODD).length + 39 })
})
