import Anthropic from '@anthropic-ai/sdk'
import type { Message } from '@anthropic-ai/sdk/resources/messages/messages'
import { expect, test } from 'vitest'
import { encodeResponse } from '../../src/dialects/anthropic/encode-response.ts'
import { clientWords } from './client-words.ts'
import { streamFixtures } from './fixtures.ts'
import { chatCollector, chatTranslator, CLIENT_MODEL, translate } from './translator.ts'

const fixtures = streamFixtures().map(({ name, bytes, setup }) => {
  const output = translate(chatTranslator(setup), bytes)
  const collector = chatCollector(setup)
  collector.push(bytes)
  collector.end()
  return { name, output, message: collector.message, failure: collector.failure }
})
const isUnparsed = ({ message }: { message: Message | undefined }): boolean =>
  JSON.stringify(message ?? null).includes('__unparsedToolInput')

/** What the official SDK makes of a stream: it sees the bytes as a server would send them. */
async function accumulate(output: string): Promise<Message> {
  const client = new Anthropic({
    apiKey: 'none',
    maxRetries: 0,
    fetch: () => Promise.resolve(new Response(output, { headers: { 'content-type': 'text/event-stream' } })),
  })
  const stream = client.messages.stream({
    model: CLIENT_MODEL,
    max_tokens: 1024,
    messages: [{ role: 'user', content: 'Hello.' }],
  })
  return await stream.finalMessage()
}

const good = fixtures.filter((fixture) => fixture.message !== undefined && !isUnparsed(fixture))
const bad = fixtures.filter(({ failure }) => failure !== undefined)
const unparsed = fixtures.filter(isUnparsed)

test('every fixture is a good one, a bad one, or has arguments that are no JSON', () => {
  expect(good.length + bad.length + unparsed.length).toBe(fixtures.length)
  expect(Math.min(good.length, bad.length, unparsed.length)).toBeGreaterThan(0)
})

test.for(good)('the SDK reads $name as the message that we collect', async ({ output, message }) => {
  const { parsed_output: _, ...read } = (await accumulate(output)) as Message & { parsed_output?: unknown }
  expect(JSON.parse(JSON.stringify(read))).toEqual(message && encodeResponse(message))
})

test.for(bad)('the SDK throws at $name and says why', async ({ output, failure }) => {
  await expect(accumulate(output)).rejects.toThrow(JSON.stringify(clientWords(failure)).slice(1, -1))
})

test.for(unparsed)(
  'the SDK notices that $name is not whole, or guesses the rest',
  async ({ output, message }) => {
    const read = await accumulate(output).catch((error: unknown) => error)
    if (read instanceof Error) expect(read.message).toMatch(/parse|JSON|token/i)
    else expect((read as Message).stop_reason).toBe(message?.stop_reason)
  },
)
