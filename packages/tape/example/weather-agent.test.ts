import { fileURLToPath } from 'node:url'
import Anthropic from '@anthropic-ai/sdk'
import { playTape } from '@hydra/tape'
import { expect, test } from 'vitest'
import { askAboutWeather } from './weather-agent.ts'

const TAPE = fileURLToPath(new URL('tapes/weather', import.meta.url))

test('the agent looks the weather up and tells it', async () => {
  // Ends with the test, and fails it if the agent asked for more, for less, or for something else.
  await using proxy = await playTape(TAPE, { leg: 'proxy' })
  const client = new Anthropic({ baseURL: proxy.url, apiKey: 'not-needed' })
  const asked: string[] = []

  const answer = await askAboutWeather(client, 'What is the weather in Oslo?', (city) => {
    asked.push(city)
    return '4 degrees, rain'
  })

  expect(asked).toEqual(['Oslo'])
  expect(answer).toBe('It is 4 degrees in Oslo, and it rains.')
})

test('the agent does the same when the network delivers single bytes', async () => {
  await using proxy = await playTape(TAPE, { leg: 'proxy', rechunk: 'bytes' })
  const client = new Anthropic({ baseURL: proxy.url, apiKey: 'not-needed' })
  const answer = await askAboutWeather(client, 'What is the weather in Oslo?', () => '4 degrees, rain')
  expect(answer).toBe('It is 4 degrees in Oslo, and it rains.')
})

test('an agent that asks for something else is told what it should have asked', async () => {
  const proxy = await playTape(TAPE, { leg: 'proxy' })
  const client = new Anthropic({ baseURL: proxy.url, apiKey: 'not-needed' })
  const asked = askAboutWeather(client, 'What is the weather in Rome?', () => '')
  await expect(asked).rejects.toThrow('the nearest is exchange 1 where messages[0].content is')

  // The client did not ask again: one request, one miss.
  expect(proxy.misses.map(({ explanation }) => explanation)).toEqual([
    'no recording answers POST /v1/messages: the nearest is exchange 1 where messages[0].content ' +
      'is "What is the weather in Oslo?" and not "What is the weather in Rome?"',
  ])
  await expect(proxy.close()).rejects.toThrow('nobody asked for exchange 2: POST /v1/messages')
})
