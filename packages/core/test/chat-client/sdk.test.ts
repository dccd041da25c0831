import OpenAI from 'openai'
import type { ChatCompletion } from 'openai/resources/chat/completions'
import { expect, test } from 'vitest'
import { streamFixtures } from '../streams/fixtures.ts'
import { replyFor } from '../streams/translator.ts'
import { readChunks } from './read-chunks.ts'
import { ASKED } from './told.ts'
import { chatClientTranslation, told } from './translator.ts'

const fixtures = streamFixtures().map(({ name, bytes, setup }) => {
  const reply = { ...replyFor(setup), model: 'gpt-test' }
  const stream = chatClientTranslation({ upstream: 'openai-chat', reply })
  const output = told(stream, bytes)
  const again = { ...replyFor(setup), model: 'gpt-test' }
  const whole = told(
    chatClientTranslation({ upstream: 'openai-chat', reply: again, asked: { stream: false } }),
    bytes,
  )
  return { name, output, whole, failure: stream.failure }
})
const good = fixtures.filter(({ failure }) => failure === undefined)
const bad = fixtures.filter(({ failure }) => failure !== undefined)

function clientOf(output: string, contentType: string): OpenAI {
  const respond = (): Promise<Response> =>
    Promise.resolve(new Response(output, { headers: { 'content-type': contentType } }))
  return new OpenAI({ apiKey: 'none', maxRetries: 0, fetch: respond })
}

const BODY = { model: ASKED.model, messages: [{ role: 'user' as const, content: 'Hello.' }] }

/** What the official SDK makes of a stream: it sees the bytes as a server would send them. */
async function accumulated(output: string): Promise<ChatCompletion> {
  const client = clientOf(output, 'text/event-stream')
  const stream = client.chat.completions.stream({ ...BODY, stream_options: { include_usage: true } })
  return await stream.finalChatCompletion()
}

test('there are fixtures of both kinds', () => {
  expect(Math.min(good.length, bad.length)).toBeGreaterThan(10)
})

test.for(fixtures)('$name obeys the grammar', ({ output, failure }) => {
  const { error, finish } = readChunks(output, { usage: true })
  expect(error === undefined).toBe(failure === undefined)
  expect(finish === undefined).toBe(failure !== undefined)
})

test.for(good)('the SDK reads $name as the answer that is sent whole', async ({ output, whole }) => {
  const expected = JSON.parse(whole) as ChatCompletion
  const read = await accumulated(output)
  expect(read.choices.map(meaningOf)).toEqual(expected.choices.map(meaningOf))
  expect(read.usage).toEqual(expected.usage)
})

function meaningOf({ finish_reason, message }: ChatCompletion.Choice): object {
  return { finish_reason, content: message.content ?? '', calls: message.tool_calls?.map(callOf) ?? [] }
}

/** Whole arguments are written anew, so their spaces may differ. */
function callOf(call: NonNullable<ChatCompletion.Choice['message']['tool_calls']>[number]): unknown[] {
  if (call.type === 'custom') return [call.id, call.custom.name, call.custom.input]
  try {
    return [call.id, call.function.name, JSON.parse(call.function.arguments)]
  } catch {
    return [call.id, call.function.name, call.function.arguments]
  }
}

test.for(bad)('the SDK throws at $name and says why', async ({ output }) => {
  const { error } = readChunks(output, { usage: true })
  await expect(accumulated(output)).rejects.toThrow(String(error?.['message']))
})

test('the SDK reads a whole answer', async () => {
  const [fixture] = good
  const client = clientOf(fixture?.whole ?? '', 'application/json')
  const answer = await client.chat.completions.create(BODY)
  expect(answer.choices[0]?.message.role).toBe('assistant')
})
