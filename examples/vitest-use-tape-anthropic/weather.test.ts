import { useTape } from '@hydra/tape/vitest'
import { expect, test } from 'vitest'
import { askAboutWeather } from './weather.ts'

test('the weather is looked up and told', async () => {
  await useTape()
  const answer = await askAboutWeather('What is the weather in Oslo?', () => '4 degrees, rain')
  expect(answer).toBe('It is 4 degrees in Oslo, and it rains.')
})
