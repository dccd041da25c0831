import { usageOf } from '@hydra/core'
import { expect, test } from 'vitest'
import { loadPrices } from './load-prices.ts'

const CALL = {
  upstream: 'mine',
  url: 'http://127.0.0.1:9/v1',
  model: 'x',
  usage: usageOf({ input_tokens: 1_000_000 }),
  isEstimated: false,
}

test('prices of the configuration count where no list does', async () => {
  const problems: string[] = []
  const prices = await loadPrices({ prices: { mine: { x: { input: 2, output: 3 } } } }, (text) =>
    problems.push(text),
  )
  expect(prices?.cost(CALL)).toEqual({ usd: 2, savedByCache: 0 })
  expect(problems).toEqual([])
})

test('without the package the proxy works on, and says what is missing', async () => {
  const problems: string[] = []
  const name = '@hydra/no-such-package'
  const missing: unknown = await import(name).catch((error: unknown) => error)
  const tell = (text: string): unknown => problems.push(text)
  expect(await loadPrices({ prices: {} }, tell, () => Promise.reject(missing as Error))).toBeUndefined()
  expect(await loadPrices({ prices: {} }, tell, () => Promise.reject(new SyntaxError('x')))).toBeUndefined()
  expect(problems).toEqual([
    'costs are not known: @hydra/prices is not installed, or not as a whole (npm install @hydra/prices)',
    'costs are not known: @hydra/prices could not be loaded',
  ])
})
