import { Buffer } from 'node:buffer'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FramedText } from '../../format/lines.ts'
import { LikeLineReader } from '../../read/like-line-reader.ts'
import { LineBuffer } from '../../write/line-buffer.ts'
import { Piece } from '../piece.ts'
import { createRedaction } from '../redaction.ts'
import { Chunks } from './chunks.ts'
import type { EventTemplate } from './event-template.ts'
import { LegRedaction } from './leg-redaction.ts'

function chatEvent(delta: object): string {
  return `data: ${JSON.stringify({ id: 'c1', choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`
}

/** Whether each chunk is held, and what is written of it: an event that is given as its template is written as it came. */
function redactTogether(leg: LegRedaction, events: readonly string[]): (() => string)[] {
  const chunks = new Chunks()
  for (const event of events) chunks.add(event)
  return leg.redact(chunks).map((given, index) => {
    if (given instanceof Piece) return () => (given.holders > 0 ? 'HELD' : given.text)
    const text = chunks.textOf(index)
    expect(Buffer.from(String(bytesOf(given, chunks, index))).toString('latin1')).toBe(text)
    return () => text
  })
}

/** What a reader makes of the line of a chunk. */
function bytesOf(template: EventTemplate, chunks: Chunks, index: number): unknown {
  const line = new LineBuffer()
  line.framed(Buffer.alloc(0), { chunks, index, template })
  const data = JSON.parse(Buffer.from(line.content()).toString()) as FramedText
  const read = new LikeLineReader().read([1, 0, 1, 'u>', 'd', data])
  return 'event' in read ? read.event[5] : read.fault
}

const SECRET = ['canary', '0123456789', 'abcdef'].join('')
const NUMERIC_SECRET = '7351902846'

/** Parts of texts, and of what else changes with each event. */
const WORD = fc.constantFrom(
  SECRET.slice(0, 7),
  SECRET.slice(7),
  SECRET,
  // Nothing that follows can make more of it: it is found now or never.
  `${SECRET}, `,
  ' ',
  'sk',
  '-',
  'a@b.example',
  ', ',
  'word',
  '\\',
  '\n',
  '"',
  'ü',
)

/** Events as servers send them that number them, or put something of any length into each. */
const VARYING = fc
  .record({
    text: WORD,
    aside: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('', 'a', 'bcd') },
      { weight: 1, arbitrary: WORD },
    ),
    number: fc.oneof(fc.nat(), fc.constantFrom(Number(NUMERIC_SECRET), 0.5, -1)),
    blanks: fc.constantFrom('', '   '),
  })
  .map(
    ({ text, aside, number, blanks }) =>
      `data: ${JSON.stringify({ delta: text, obfuscation: aside, number }).slice(0, -1)}${blanks}}\n\n`,
  )

/** Events with two texts, each of which may have a secret that is spread over several of them. */
const WITH_TWO_TEXTS = fc
  .record({ first: WORD, text: WORD })
  .map((texts) => `data: ${JSON.stringify(texts)}\n\n`)

/** One event or several that come at once. */
function atOnce(event: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.array(event, { minLength: 1, maxLength: 3 }).map((events) => events.join(''))
}

/** Both ways of redacting, with the pieces of the second in groups of these sizes. */
function expectSameEitherWay(pieces: readonly string[], sizes: readonly number[]): void {
  const redaction = createRedaction({ secrets: [SECRET, NUMERIC_SECRET] })
  const oneByOne = redaction.forTape().stream()
  const single = pieces.map((bytes) => oneByOne.push(Buffer.from(bytes).toString('latin1')))
  oneByOne.end()
  const together = new LegRedaction(redaction.forTape().stream())
  const rest = [...pieces]
  const grouped = [...sizes, pieces.length].flatMap((size) =>
    redactTogether(together, rest.splice(0, size + 1)),
  )
  together.end()
  expect(grouped.map((textOf) => textOf())).toEqual(single.map(({ text }) => text))
}

test('pieces that are pushed together are covered like pieces that are pushed one by one', () => {
  const event = WORD.map((content) => chatEvent({ content }))
  const other = WORD.map((reasoning) => chatEvent({ reasoning }))
  const several = fc.array(fc.oneof(event, other), { minLength: 2, maxLength: 3 })
  const piece = fc.oneof(
    { weight: 4, arbitrary: event },
    { weight: 1, arbitrary: several.map((events) => events.join('')) },
    { weight: 1, arbitrary: other },
    { weight: 1, arbitrary: fc.constant(': comment\n\n') },
    { weight: 1, arbitrary: fc.constant(chatEvent({ content: '"quoted' })) },
    { weight: 1, arbitrary: WORD.map((text) => chatEvent({ content: 'x' }).replace('"x"', `"${text}\\"`)) },
  )
  fc.assert(fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.nat(8)), expectSameEitherWay), {
    numRuns: 1000,
  })
})

test('so are events with more than one text', () => {
  const piece = fc.oneof(atOnce(WITH_TWO_TEXTS), atOnce(WORD.map((text) => chatEvent({ text }))))
  fc.assert(fc.property(fc.array(piece, { maxLength: 20 }), fc.array(fc.nat(8)), expectSameEitherWay), {
    numRuns: 1000,
  })
})

test('an event with a secret beside its text is no example for those that repeat it', () => {
  const event = `data: ${JSON.stringify({ delta: 'Hi, ', number: Number(NUMERIC_SECRET) })}\n\n`
  expectSameEitherWay(
    Array.from({ length: 5 }, () => event),
    [0, 0],
  )
})

test('so are events that differ in more than their text', () => {
  const piece = fc.oneof(
    { weight: 8, arbitrary: VARYING },
    {
      weight: 3,
      arbitrary: atOnce(VARYING),
    },
    { weight: 1, arbitrary: fc.constant(': comment\n\n') },
  )
  fc.assert(fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.nat(8)), expectSameEitherWay), {
    numRuns: 2000,
  })
})

/** How many of the events, which come together behind the first two, are not scanned. */
function passedOf(events: readonly string[]): number {
  const leg = new LegRedaction(createRedaction().forTape().stream())
  redactTogether(leg, events.slice(0, 2))
  const chunks = new Chunks()
  for (const event of events.slice(2)) chunks.add(event)
  return leg.redact(chunks).filter((each) => !(each instanceof Piece)).length
}

const ENDINGS = ['a', 'bcd', '', 'ef', 'ghijkl']

test('events with a word of any length beside their text are not scanned', () => {
  const events = ENDINGS.map((obfuscation) => `data: ${JSON.stringify({ delta: 'Hi, ', obfuscation })}\n\n`)
  expect(passedOf(events)).toBe(3)
})

test('nor are events that are numbered and counted', () => {
  const events = ENDINGS.map((_, number) => {
    const usage = { tokens: number * 9, cached: 10 - number }
    return `event: x\ndata: ${JSON.stringify({ sequence_number: number, delta: 'Hi, ', usage })}\n\n`
  })
  expect(passedOf(events)).toBe(3)
})

test('nor are those behind several that came at once, or behind a comment', () => {
  const events = ['a', 'b', 'c', 'd', 'e', 'f'].map((number) => chatEvent({ content: `${number} Hi, ` }))
  const [first = '', second = '', ...rest] = events
  const event = chatEvent({ content: 'x' })
  const ping = 'data: {"type":"ping"}\n\n'
  for (const between of [`${event}: comment\n\n${event}`, event + ping, ': comment\n\n']) {
    expect(passedOf([first, second, between, ...rest])).toBe(rest.length)
  }
})

test('nor are several alike events that came at once', () => {
  const events = ENDINGS.map(
    (obfuscation, number) => `data: ${JSON.stringify({ delta: 'Hi, ', obfuscation, number })}\n\n`,
  )
  const [first = '', second = '', ...rest] = events
  const pairs = [rest.join(''), rest.toReversed().join('')]
  expect(passedOf([first, second, ...pairs])).toBe(pairs.length)
  const cut = rest.join('').slice(0, -2)
  expect(passedOf([first, second, cut])).toBe(0)
})

test('nor are those of a stream of which every read brings several', () => {
  const events = Array.from({ length: 8 }, (_, number) => chatEvent({ content: `${number} Hi, ` }))
  const pairs = [0, 2, 4, 6].map((first) => events.slice(first, first + 2).join(''))
  expect(passedOf(pairs)).toBe(2)
  expect(passedOf(pairs.map((pair) => pair.replaceAll('\n', '\r\n')))).toBe(2)
})

test('nor are events whose lines end as in MIME', () => {
  const events = ENDINGS.map((_, number) => `data: {"text":"Hi, ","tokens":${number}}\r\n\r\n`)
  expect(passedOf(events)).toBe(3)
})

test('nor are events that are filled up with blanks', () => {
  const events = ENDINGS.map(({ length }) => `event: x\ndata: {"delta":"Hi, "${' '.repeat(length)}}\n\n`)
  expect(passedOf(events)).toBe(3)
})

test('nor are events with quotes and letters beyond ASCII in their texts', () => {
  const events = ENDINGS.map((letters) => chatEvent({ content: `${letters}"ü", ` }))
  expect(passedOf(events)).toBe(3)
})

test('an event of which something else has another form is scanned', () => {
  const events = [1, 2, 3, null, 4].map((number) => `data: ${JSON.stringify({ delta: 'Hi, ', number })}\n\n`)
  expect(passedOf(events)).toBe(1)
})

test('a key beside the text is found', () => {
  const key = `sk-${'0123456789'.repeat(3)}`
  const events = [...ENDINGS, key, 'a'].map(
    (obfuscation) => `data: ${JSON.stringify({ delta: 'Hi, ', obfuscation })}\n\n`,
  )
  const leg = new LegRedaction(createRedaction().forTape().stream())
  redactTogether(leg, events.slice(0, 2))
  const written = redactTogether(leg, events.slice(2)).map((textOf) => textOf())
  expect(written.join('')).toContain('~K1')
  expect(written.join('')).not.toContain(key)
})

function numberedEvent(number: number): string {
  return `data: {"delta":"Hi, ","number":${number}}\n\n`
}

test('a secret is found that goes on behind a quote or an empty line', () => {
  for (const secret of ['"number":7}', '7}\n\ndata: {']) {
    const leg = new LegRedaction(
      createRedaction({ secrets: [secret] })
        .forTape()
        .stream(),
    )
    const written = redactTogether(leg, [1, 2, 3, 7, 8, 9].map(numberedEvent)).map((textOf) => textOf())
    expect(written.join('')).not.toContain(secret)
    expect(written.join('')).toContain('~K1')
  }
})

function eventWithList(list: readonly number[]): string {
  return `data: ${JSON.stringify({ delta: 'Hi, ', list })}\n\n`
}

test('a secret is found that is a number, with what is around it', () => {
  for (const secret of ['[4242424', '4242424]', '4242424,7']) {
    const leg = new LegRedaction(
      createRedaction({ secrets: [secret] })
        .forTape()
        .stream(),
    )
    const lists = [[1], [2], [3], [4242424], [1, 2], [3, 4], [5, 6], [4242424, 7], [9, 9]]
    const written = redactTogether(leg, lists.map(eventWithList)).map((textOf) => textOf())
    expect(written.join('')).not.toContain(secret)
  }
})

/** An event whose text has one byte per character. */
function eventOfBytes(text: string): Buffer {
  return Buffer.from(`data: {"delta":"${text}"}\n\n`, 'latin1')
}

test('events whose texts are no UTF-8 by themselves are scanned', () => {
  for (const texts of [['\u00e4, '], ['a\u00c3', '\u00bc, ']]) {
    const leg = new LegRedaction(createRedaction().forTape().stream())
    redactTogether(leg, [chatEvent({ content: 'a' }), 'data: {"delta":"a, "}\n\n'])
    const chunks = new Chunks()
    for (const text of texts) chunks.add(eventOfBytes(text))
    expect(leg.redact(chunks).every((each) => each instanceof Piece)).toBe(true)
  }
})

test('words that come one by one are given as they came, but for the last, which may go on', () => {
  const leg = new LegRedaction(createRedaction().forTape().stream())
  const events = Array.from('abcdef', (letter) => chatEvent({ content: ` ${letter}` }))
  const [first, ...others] = events
  redactTogether(leg, [first ?? ''])
  const chunks = new Chunks()
  for (const event of others) chunks.add(event)
  const given = leg.redact(chunks)
  expect(given.map((each) => each instanceof Piece)).toEqual([false, false, false, false, true])
})
