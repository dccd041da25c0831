import { fileURLToPath } from 'node:url'
import { playTape } from '@hydra/tape'
import OpenAI from 'openai'
import { expect, test } from 'vitest'

const TAPE = fileURLToPath(new URL('tapes/weather', import.meta.url))
const QUESTION = { role: 'user', content: 'What is the weather in Oslo?' } as const

test('a program that uses the SDK of OpenAI is tested against the other side of the same tape', async () => {
  const upstream = await playTape(TAPE)
  const client = new OpenAI({ baseURL: upstream.url, apiKey: 'not-needed' })
  const stream = await client.chat.completions.create({
    model: 'scripted',
    stream: true,
    messages: [QUESTION],
  })

  let text = ''
  const calls: string[] = []
  for await (const { choices } of stream) {
    text += choices[0]?.delta.content ?? ''
    for (const call of choices[0]?.delta.tool_calls ?? []) calls.push(call.function?.name ?? '')
  }

  expect(text).toBe('I look that up.')
  expect(calls[0]).toBe('get_weather')
  // The recorded program set a limit and offered tools: the conversation is the same, the request is not.
  expect(upstream.requests).toMatchObject([
    { exchange: 1, by: 'conversation', difference: { path: 'max_tokens' } },
  ])
  // Only the first turn is of interest here, so what follows is not asked for.
  expect(upstream.unconsumed.map(({ exchange }) => exchange)).toEqual([2])
  await upstream.stop()
})

test('only the very same request is answered if that is asked for', async () => {
  const upstream = await playTape(TAPE, { matchBy: 'request' })
  const client = new OpenAI({ baseURL: upstream.url, apiKey: 'not-needed' })
  await expect(
    client.chat.completions.create({ model: 'scripted', stream: true, messages: [QUESTION] }),
  ).rejects.toThrow('max_tokens is 1024 and not nothing')
  await upstream.stop()
})
