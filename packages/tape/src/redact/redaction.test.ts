import { Buffer } from 'node:buffer'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ADDRESS,
  BEARER_TOKEN,
  CANARIES,
  ODD_SECRET,
  PLAIN_SECRET,
  PRIVATE_KEY,
} from '../../test/canaries.ts'
import { withoutMarkNumbers } from './marks.ts'
import { createRedaction, defaultRedaction } from './redaction.ts'

const HOME = '/home/somebody'
const REDACTION = createRedaction({ secrets: [PLAIN_SECRET, ODD_SECRET], homes: [HOME] })

const SECRETS: readonly (readonly [string, string])[] = [
  ...Object.entries(CANARIES),
  ['plain', PLAIN_SECRET],
  ['odd', ODD_SECRET],
  ['private key', PRIVATE_KEY],
  ['address', ADDRESS],
  ['home', HOME],
]

function redact(text: string): string {
  return REDACTION.forTape().text(text)
}

describe.each(SECRETS)('%s', (_, secret) => {
  const surroundings: readonly (readonly [string, (text: string) => string])[] = [
    ['alone', (text) => text],
    ['in a sentence', (text) => `the key is ${text}, as I said`],
    ['as a value', (text) => `KEY=${text}\nNEXT=1`],
    ['in JSON', (text) => JSON.stringify({ a: text, b: 'x' })],
    ['behind a line feed in JSON', (text) => JSON.stringify({ a: `first\n${text}\nlast` })],
    ['in JSON in JSON', (text) => JSON.stringify({ arguments: JSON.stringify({ a: `\n${text}` }) })],
    ['in a list', (text) => JSON.stringify([text, text])],
  ]

  test.each(surroundings)('is replaced %s, and nothing else is', (_where, around) => {
    const before = around(secret)
    const after = redact(before)
    const untouched = around('PLACE').split('PLACE')
    expect(after).not.toContain(secret)
    expect(Buffer.byteLength(after)).toBe(Buffer.byteLength(before))
    expect(after).toMatch(/~[KEH]\d+-*~/)
    // What stands before the first and after the last secret is as it was.
    expect(after.startsWith(untouched[0] ?? '?')).toBe(true)
    expect(after.endsWith(untouched.at(-1) ?? '?')).toBe(true)
  })

  test('leaves JSON that is JSON', () => {
    const value = { a: `\n${secret}\t${secret}"`, b: JSON.stringify({ c: `\u0007${secret}\\` }) }
    const after = JSON.parse(redact(JSON.stringify(value))) as { a: string; b: string }
    expect(after.a).not.toContain(secret)
    expect((JSON.parse(after.b) as { c: string }).c).not.toContain(secret)
  })

  test('is gone for good: a second look finds nothing', () => {
    const once = redact(`x ${secret} y\n${secret}`)
    expect(redact(once)).toBe(once)
  })
})

test('a token behind the word Bearer is replaced, the word is not', () => {
  expect(redact(`Authorization: Bearer ${BEARER_TOKEN}`)).toMatch(/^Authorization: Bearer ~K1-+~$/)
  expect(redact(`authorization: bearer ${BEARER_TOKEN}`)).toMatch(/^authorization: bearer ~K1-+~$/)
})

test('the same secret has the same mark, another one has another', () => {
  const tape = REDACTION.forTape()
  const first = tape.text(CANARIES['openai'] ?? '')
  expect(tape.text(`${CANARIES['groq']} ${CANARIES['openai']}`)).toContain(first)
  expect(tape.text(CANARIES['groq'] ?? '')).not.toContain('~K1-')
  expect(new TextDecoder().decode(tape.bytes(Buffer.from(`"${CANARIES['openai']}"`)))).toBe(`"${first}"`)
})

test('a known secret is found in its other spellings, with the same number', () => {
  const tape = REDACTION.forTape()
  expect(tape.text(PLAIN_SECRET)).toMatch(/^~K1-+~$/)
  expect(tape.text(`?key=${encodeURIComponent(PLAIN_SECRET)}`)).toMatch(/^\?key=~K1-+~$/)
  for (const before of ['', 'u', 'us', 'user:']) {
    const coded = Buffer.from(`${before}${PLAIN_SECRET}:end`).toString('base64')
    expect(tape.text(coded)).toMatch(/~K1-+~/)
  }
})

test('marks of one kind are equal without their numbers', () => {
  const one = REDACTION.forTape().text(`a ${CANARIES['openai']} ${ADDRESS}`)
  const tape = REDACTION.forTape()
  tape.text(`${CANARIES['groq']} ${CANARIES['xai']}`)
  const other = tape.text(`a ${CANARIES['openai']} ${ADDRESS}`)
  expect(other).not.toBe(one)
  expect(withoutMarkNumbers(other)).toBe(withoutMarkNumbers(one))
})

test.each([
  'a task-management-system-for-everybody and a disk-encryption-software-package',
  'npm install @scope/package@1.2.3 react@18.2.0 user@localhost @decorator',
  'the bearer of good news',
  '/home/somebodyelse and /srv/home/somebody and /home/somebody_2',
  'eyJhbGciOiJIUzI1NiJ9 alone is no token',
  'grep for -----BEGIN CERTIFICATE----- lines',
  'ÄÖÜ 你好 🙂 \u0000\u0001',
])('%j is left alone', (text) => {
  expect(redact(text)).toBe(text)
})

test('bytes without a secret are the very same bytes', () => {
  const bytes = Buffer.from([0, 255, 254, 10, 13, 128])
  expect(REDACTION.forTape().bytes(bytes)).toBe(bytes)
})

test('bytes that are no UTF-8 are kept around a secret', () => {
  const bytes = Buffer.concat([
    Buffer.from([255, 128]),
    Buffer.from(CANARIES['groq'] ?? ''),
    Buffer.from([0, 254]),
  ])
  const after = REDACTION.forTape().bytes(bytes)
  expect(after.length).toBe(bytes.length)
  expect([...after.subarray(0, 2), ...after.subarray(-2)]).toEqual([255, 128, 0, 254])
  expect(Buffer.from(after).toString('latin1')).not.toContain(CANARIES['groq'])
})

test('only harmless headers are kept, and searched', () => {
  const headers = REDACTION.forTape().headers({
    Authorization: `Bearer ${BEARER_TOKEN}`,
    'x-api-key': CANARIES['anthropic'],
    'api-key': CANARIES['openai'],
    cookie: 'a=b',
    'set-cookie': ['a=b', 'c=d'],
    'x-unknown': 'x',
    'x-claude-code-api-key': 'x',
    'proxy-authorization': 'x',
    'Content-Type': 'application/json',
    'anthropic-beta': ['one', 'two'],
    'x-stainless-lang': 'js',
    'x-claude-code-session-id': 'abc',
    'user-agent': `agent ${CANARIES['github']}`,
    'retry-after-ms': undefined,
  })
  expect(headers).toEqual({
    'content-type': 'application/json',
    'anthropic-beta': 'one, two',
    'x-stainless-lang': 'js',
    'x-claude-code-session-id': 'abc',
    'user-agent': expect.stringMatching(/^agent ~K\d+-+~$/) as unknown,
  })
})

test('the environment gives the values that are secret, and the home directory', () => {
  const value = 'value-of-that-variable'
  const names = ['MY_KEY', 'MY_TOKEN', 'MY_SECRET', 'MY_PASSWORD', 'my_token', 'API_KEYS']
  for (const name of names) {
    expect(
      defaultRedaction({ [name]: value }, undefined)
        .forTape()
        .text(`is ${value}`),
    ).toMatch(/^is ~K1-+~$/)
  }
  expect(
    defaultRedaction({ MY_NAME: value, MY_KEY: 'short' }, undefined).forTape().text(`${value} short`),
  ).toBe(`${value} short`)
  expect(defaultRedaction({}, '/u/me/').forTape().text('in /u/me/x')).toBe('in ~H1-~/x')
  expect(defaultRedaction({}, '/', [value]).forTape().text(`/ ${value}`)).toMatch(/^\/ ~K1-+~$/)
})

test('the values of JSON are searched, names and numbers stay', () => {
  const value = { list: [CANARIES['xai'], 1, null], inner: { address: ADDRESS, yes: true } }
  const after = REDACTION.forTape().values(value)
  expect(JSON.stringify(after)).toMatch(
    /^{"list":\["~K1-+~",1,null],"inner":{"address":"~E2-+~","yes":true}}$/,
  )
})

test('any text keeps its length, is found clean, and has no secret of those that were planted', () => {
  const filler = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(' ', '\\n', '"', '@', '~', '-'),
  )
  const planted = fc.constantFrom(...SECRETS.map(([, secret]) => secret))
  fc.assert(
    fc.property(fc.array(fc.oneof(filler, planted), { maxLength: 12 }), (parts) => {
      const text = Buffer.from(parts.join(' ')).toString('utf8')
      const after = redact(text)
      expect(Buffer.byteLength(after)).toBe(Buffer.byteLength(text))
      expect(redact(after)).toBe(after)
    }),
  )
})
