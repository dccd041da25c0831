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
import type { Piece } from './piece.ts'
import { createRedaction } from './redaction.ts'

const HOME = '/home/somebody'
const REDACTION = createRedaction({ secrets: [PLAIN_SECRET, ODD_SECRET], homes: [HOME] })

const SECRETS: readonly (readonly [string, string])[] = [
  ...Object.entries(CANARIES),
  ['bearer', `Bearer ${BEARER_TOKEN}`],
  ['plain', PLAIN_SECRET],
  ['odd', ODD_SECRET],
  ['private key', PRIVATE_KEY],
  ['address', ADDRESS],
  ['home', `${HOME}/x`],
]

/** What is written of a stream: every piece must be free to be written when the stream has ended. */
function written(pieces: readonly string[]): string {
  const stream = REDACTION.forTape().stream()
  const pushed = pieces.map((piece) => stream.push(Buffer.from(piece).toString('latin1')))
  stream.end()
  expect(pushed.map(({ holders }) => holders)).toEqual(pushed.map(() => 0))
  return utf8(pushed)
}

function utf8(pieces: readonly Piece[]): string {
  return Buffer.from(pieces.map(({ text }) => text).join(''), 'latin1').toString('utf8')
}

function cutEverywhere(text: string): readonly (readonly [string, string])[] {
  return Array.from(
    { length: text.length - 1 },
    (_, at) => [text.slice(0, at + 1), text.slice(at + 1)] as const,
  )
}

function chatEvent(delta: object, index = 0): string {
  return `data: ${JSON.stringify({ id: 'c1', choices: [{ index, delta, finish_reason: null }] })}\n\n`
}

function callEvent(text: string, index: number): string {
  return chatEvent({ tool_calls: [{ index, function: { arguments: text } }] })
}

function blockEvent(delta: object, index = 0): string {
  return `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index, delta })}\n\n`
}

const EVENTS: readonly (readonly [string, (text: string) => string])[] = [
  ['content', (content) => chatEvent({ content })],
  ['reasoning_content', (text) => chatEvent({ reasoning_content: text })],
  ['arguments', (text) => callEvent(JSON.stringify(text).slice(1, -1), 1)],
  ['text', (text) => blockEvent({ type: 'text_delta', text })],
  ['thinking', (thinking) => blockEvent({ type: 'thinking_delta', thinking })],
  [
    'partial_json',
    (text) => blockEvent({ type: 'input_json_delta', partial_json: JSON.stringify(text).slice(1, -1) }),
  ],
]

/** All strings of a text's field, put together. */
function joined(stream: string, field: string): string {
  return [...stream.matchAll(new RegExp(`"${field}":"((?:[^"\\\\]|\\\\.)*)"`, 'g'))]
    .map(([, text]) => JSON.parse(`"${text}"`) as string)
    .join('')
}

describe.each(SECRETS)('%s', (_, secret) => {
  const word = secret.replace(/^Bearer /, '').replace(/\/x$/, '')

  test('is found in plain text that is cut anywhere', () => {
    const text = `before ${secret} after`
    const whole = REDACTION.forTape().text(text)
    expect(whole).not.toContain(word)
    for (const pieces of cutEverywhere(text)) expect(written(pieces)).toBe(whole)
    expect(written(Array.from(text))).toBe(whole)
  })

  test.each(EVENTS)('is found in %s that is cut anywhere between two events', (field, event) => {
    for (const [first, last] of cutEverywhere(`so ${secret} it is`)) {
      const before = [event(first), event(last), event('.'), 'data: [DONE]\n\n']
      const after = written(before)
      expect(Buffer.byteLength(after)).toBe(Buffer.byteLength(before.join('')))
      const text = joined(after, field)
      expect(text).not.toContain(word)
      expect(text).not.toContain(JSON.stringify(word).slice(1, -1))
      expect(text).toMatch(/^so (?:Bearer )?~[KEH]1-*~(?:\/x)? it is\.$/)
    }
  })

  test('is found in events of one character each, cut at any byte of the stream', () => {
    const stream = Array.from(`a ${secret} b`, (content) => chatEvent({ content })).join('')
    const whole = written([stream])
    expect(joined(whole, 'content')).toMatch(/^a (?:Bearer )?~[KEH]1-*~(?:\/x)? b$/)
    const bytes = Buffer.from(stream).toString('latin1')
    const step = Math.ceil(bytes.length / (stream.length > 20_000 ? 12 : 100))
    for (let at = 1; at < bytes.length; at += step) {
      const redaction = REDACTION.forTape().stream()
      const pieces = [redaction.push(bytes.slice(0, at)), redaction.push(bytes.slice(at))]
      redaction.end()
      expect(utf8(pieces)).toBe(whole)
    }
  })

  test('is found in two calls whose arguments come in turns', () => {
    for (const [first, last] of cutEverywhere(`- ${secret} -`)) {
      const [one, two] = [first, last].map((part) => JSON.stringify(part).slice(1, -1)) as [string, string]
      const after = written([callEvent(one, 0), callEvent(one, 1), callEvent(two, 0), callEvent(two, 1)])
      expect(after).not.toContain(JSON.stringify(word).slice(1, -1))
      expect(joined(after, 'arguments')).toMatch(/~[KEH]1/)
    }
  })
})

test('a piece waits only while its end may be the beginning of a secret', () => {
  const stream = REDACTION.forTape().stream()
  const first = stream.push(chatEvent({ content: 'my key: s' }))
  expect(first.holders).toBe(1)
  const second = stream.push(chatEvent({ content: 'o what?' }))
  expect(first.holders).toBe(0)
  expect(second.holders).toBe(0)
  expect(first.text).toBe(chatEvent({ content: 'my key: s' }))
})

test('a text that does not go on is not waited for without end, and the beginning of a key in it is covered', () => {
  const stream = REDACTION.forTape().stream()
  const key = CANARIES['openai'] ?? ''
  const first = stream.push(callEvent(key.slice(0, 10), 0))
  for (let count = 0; count < 40; count += 1) stream.push(callEvent('x ', 1))
  expect(first.holders).toBe(0)
  expect(first.text).not.toContain(key.slice(0, 10))
  const last = stream.push(callEvent(`${key.slice(10)} x`, 0))
  expect(last.text).not.toContain(key.slice(10))
  expect(last.text).toContain(' x')
})

test('a stream that breaks off within a key shows nothing of it', () => {
  for (let length = 4; length < PLAIN_SECRET.length; length += 1) {
    const stream = REDACTION.forTape().stream()
    const piece = stream.push(chatEvent({ content: `is ${PLAIN_SECRET.slice(0, length)}` }))
    stream.cut()
    expect(piece.holders).toBe(0)
    expect(piece.text).not.toContain(PLAIN_SECRET.slice(0, length))
  }
})

test('a key without end is covered without end, and nothing waits for it', () => {
  const stream = REDACTION.forTape().stream()
  const pieces = [stream.push('data: see sk-')]
  for (let count = 0; count < 40; count += 1) pieces.push(stream.push('a1B2c3D4'.repeat(64)))
  pieces.push(stream.push('! The end'))
  expect(pieces.at(0)?.holders).toBe(0)
  expect(pieces.at(-2)?.holders).toBe(0)
  stream.end()
  expect(utf8(pieces)).toMatch(/^data: see ~K1-+~-+! The end$/)
})

test('a private key that is longer than what can wait is covered to its end', () => {
  const long = PRIVATE_KEY.replace('\n', `\n${'A1b2C3d4'.repeat(1500)}\n`)
  const text = `key:\n${long}\nthe end`
  const stream = REDACTION.forTape().stream()
  const pieces = text.match(/[^]{1,50}/g)?.map((part) => stream.push(part)) ?? []
  stream.end()
  const after = utf8(pieces)
  expect(after).toMatch(/^key:\n~K1-+~-+\nthe end$/)
  expect(after.length).toBe(text.length)
})

test('any stream that is cut in any way is what it is in one piece, and free of what was planted', () => {
  const filler = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.string({ unit: 'binary', maxLength: 4 }),
    fc.constantFrom(' ', '\n', '@', 'sk-', 'Bearer ', '-----BEGIN ', '/home/', '\\'),
  )
  const planted = fc.constantFrom(...SECRETS.map(([, secret]) => ` ${secret} `))
  const words = fc.array(fc.oneof({ weight: 4, arbitrary: filler }, { weight: 1, arbitrary: planted }), {
    maxLength: 10,
  })
  const event = fc.constantFrom(...EVENTS.map(([, of]) => of))
  const cuts = fc.array(fc.nat(2000), { maxLength: 8 })
  fc.assert(
    fc.property(words, event, cuts, fc.boolean(), (parts, of, places, isPlain) => {
      const stream = isPlain ? `x${parts.join('')}` : parts.map((part) => of(part)).join('')
      const bytes = Buffer.from(stream).toString('latin1')
      const sorted = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted(
        (a, b) => a - b,
      )
      const redaction = REDACTION.forTape().stream()
      const pieces = sorted.slice(1).map((end, index) => redaction.push(bytes.slice(sorted[index], end)))
      redaction.end()
      const after = utf8(pieces)
      expect(after).toBe(written([stream]))
      expect(Buffer.byteLength(after)).toBe(bytes.length)
      for (const [, secret] of SECRETS) {
        if (isPlain) expect(after).not.toContain(secret)
      }
    }),
    { numRuns: 300 },
  )
})
