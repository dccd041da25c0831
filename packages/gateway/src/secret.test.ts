import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { Secret } from './secret.ts'

test('a secret cannot be printed by accident', () => {
  const secret = new Secret('hunter2hunter2')
  const printed = [String(secret), JSON.stringify({ secret }), inspect(secret, { showHidden: true })]
  expect(printed.join()).not.toContain('hunter2')
  expect(Object.values(secret)).toEqual([])
  expect(secret.reveal()).toBe('hunter2hunter2')
})

test('a secret hides itself in a text, a placeholder does not', () => {
  expect(new Secret('hunter2hunter2').hideIn('a hunter2hunter2 b hunter2hunter2')).toBe(
    'a [redacted] b [redacted]',
  )
  expect(new Secret('ollama').hideIn('upstream ollama')).toBe('upstream ollama')
  expect(new Secret('').hideIn('text')).toBe('text')
})
