import { fileURLToPath } from 'node:url'
import { tapeHandlers } from '@hydra/tape/msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { askAboutWeather } from './weather.ts'

const TAPE = fileURLToPath(new URL('tapes/weather', import.meta.url))

const server = setupServer()
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

test('the weather is looked up and told', async () => {
  const tape = tapeHandlers(TAPE)
  server.use(...tape)
  const answer = await askAboutWeather('What is the weather in Oslo?', () => '4 degrees, rain')
  expect(answer).toBe('It is 4 degrees in Oslo, and it rains.')
  tape.assertConsumed()
})

test('the same with single bytes from the network', async () => {
  const tape = tapeHandlers(TAPE, { rechunk: 'bytes' })
  server.use(...tape)
  expect(await askAboutWeather('What is the weather in Oslo?', () => '4 degrees, rain')).toContain('Oslo')
  tape.assertConsumed()
})

test('a question that was not recorded is told what was', async () => {
  server.use(...tapeHandlers(TAPE))
  await expect(askAboutWeather('What is the weather in Rome?', () => '')).rejects.toThrow(
    'is "What is the weather in Oslo?" and not "What is the weather in Rome?"',
  )
})
