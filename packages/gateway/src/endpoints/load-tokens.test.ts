import { HubError } from '@hydra/core'
import { expect, test } from 'vitest'
import { loadTokens } from './load-tokens.ts'

async function failureOf(thrown: unknown): Promise<HubError> {
  const failure = await loadTokens(() => Promise.reject(thrown)).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(HubError)
  return failure as HubError
}

test('the tokenizer is loaded where it is installed', async () => {
  const { countTokens } = await loadTokens()
  expect(countTokens({ messages: [{ role: 'user', content: 'hello world' }] })).toBeGreaterThan(1)
})

test('a tokenizer that is not installed is an error that names the package and no folder', async () => {
  // What Node really throws, for a package that nobody has.
  const name = '@hydra/no-such-package'
  const missing: unknown = await import(name).catch((error: unknown) => error)
  const { message, status, kind } = await failureOf(missing)
  expect(String(missing)).toContain(import.meta.dirname)
  expect(message).toBe(
    'tokens cannot be counted here: @hydra/tokens is not installed, or not as a whole (npm install @hydra/tokens)',
  )
  expect({ status, kind }).toEqual({ status: 501, kind: 'api_error' })
})

test('a tokenizer that is broken is not called missing', async () => {
  const { message, cause } = await failureOf(new SyntaxError('unexpected token in /home/x'))
  expect(message).toContain('could not be loaded')
  expect(message).not.toContain('/home')
  expect(cause).toBeInstanceOf(SyntaxError)
})
