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

test.each([
  ['what is left of it behind a mask', 'sk-***.MASTER-key.end', 'sk-***[redacted]'],
  ['its beginning before a cut', 'wrong: sk-litellm.MAST…', 'wrong: [redacted]…'],
  ['in the middle of words', 'asklitellm sk-litellm.MASTER-key.end!', 'asklitellm [redacted]!'],
])('a secret hides %s', (_what, text, hidden) => {
  expect(new Secret('sk-litellm.MASTER-key.end').hideIn(text)).toBe(hidden)
})

test('a word that a key has in it is not hidden elsewhere', () => {
  const secret = new Secret('sk-upstream-scripted-0123')
  expect(secret.hideIn('upstream scripted: the connection broke')).toBe(
    'upstream scripted: the connection broke',
  )
  expect(secret.hideIn('upstream says: wrong key sk-upstream-scrip…')).toBe(
    'upstream says: wrong key [redacted]…',
  )
})

test.each([1, 2])('a secret hides itself inside of JSON, %i deep', (depth) => {
  const value = 'a"b\\c"d\\e"f'
  let text = value
  for (let level = 0; level < depth; level += 1) text = JSON.stringify(text)
  expect(new Secret(value).hideIn(text).replaceAll('\\"', '"')).toBe(
    depth === 1 ? '"[redacted]"' : '""[redacted]""',
  )
})

const UNUSUAL = 'Zq.W_x+ab/cd_e=Key-9981'

test.each([
  ['in base64', btoa(UNUSUAL)],
  ['in base64 behind a name', btoa(`user:${UNUSUAL}`)],
  ['in base64 for addresses', btoa(`a:${UNUSUAL}`).replaceAll('+', '-').replaceAll('/', '_')],
  ['in an address', encodeURIComponent(UNUSUAL)],
  ['in JSON of PHP', UNUSUAL.replaceAll('/', '\\/')],
  ['in JSON of .NET', UNUSUAL.replaceAll('+', '\\u002B')],
])('a secret hides itself %s', (_where, text) => {
  const hidden = new Secret(UNUSUAL).hideIn(`given: ${text}, and no more`)
  expect(hidden).toMatch(/^given: [\w:=]{0,8}\[redacted\][\w=]{0,4}, and no more$/)
})
