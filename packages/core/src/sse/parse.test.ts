import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_EVENT_LENGTH, SseParser } from './parse.ts'

/** What a parser says to these pieces: `name|data` per event, `!field|value` per stray line. */
function heard(...pieces: readonly string[]): string[] {
  const said: string[] = []
  const parser = new SseParser({
    event: (name, data) => said.push(`${name ?? ''}|${data}`),
    strayLine: (field, value) => said.push(`!${field}|${value}`),
  })
  for (const piece of pieces) parser.push(piece)
  parser.end()
  return said
}

test.for([
  ['an event', 'data: a\n\n', ['|a']],
  ['no space', 'data:a\n\n', ['|a']],
  ['two spaces', 'data:  a\n\n', ['| a']],
  ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['|a', '|b']],
  ['lone CR', 'data: a\r\rdata: b\r\r', ['|a', '|b']],
  ['mixed line ends', 'data: a\r\n\ndata: b\n\r\ndata: c\r\n\r', ['|a', '|b', '|c']],
  ['a byte order mark', '\uFEFFdata: a\n\n', ['|a']],
  ['several data lines', 'data: a\ndata: b\ndata:\n\n', ['|a\nb\n']],
  ['an empty data line', 'data:\n\n', ['|']],
  ['a field without a colon', 'data\n\n', ['|']],
  ['comments', ': hello\n\n:\n: data: b\n\ndata: a\n\n', ['|a']],
  ['a name', 'event: error\ndata: a\n\ndata: b\n\n', ['error|a', '|b']],
  ['a name without data', 'event: error\n\ndata: b\n\n', ['|b']],
  ['an empty name', 'event:\ndata: b\n\n', ['|b']],
  ['id and retry', 'id: 1\nretry: 5\nretry: x\ndata: a\n\n', ['|a']],
  ['no blank line at the end', 'data: a\n\ndata: b', ['|a', '|b']],
  ['a line end but no blank line', 'data: a\n\ndata: b\r\n', ['|a', '|b']],
  ['nothing', '', []],
  ['a stray line', 'error: {"a": 1}\n\n', ['!error|{"a": 1}']],
  ['a stray line without an end', 'oops', ['!oops|']],
  ['a field in other case', 'Data: a\n\n', ['!Data|a']],
] as const)('S8 %s', ([, text, expected]) => {
  expect(heard(text)).toEqual(expected)
})

test('S8 a stray line that is cut between two reads is heard as a whole', () => {
  const text = 'data: a\n\nerror: {"message":"no"}\r\n\ndata: b\n\n'
  for (let at = 0; at <= text.length; at += 1) {
    expect(heard(text.slice(0, at), text.slice(at)), `split at ${at}`).toEqual([
      '|a',
      '!error|{"message":"no"}',
      '|b',
    ])
  }
})

/** The rules of the standard in their plainest form. */
function reference(text: string): string[] {
  const said: string[] = []
  let name = ''
  let data: string[] = []
  for (const line of `${text.replace(/^\uFEFF/, '')}\n\n`.split(/\r\n|\r|\n/)) {
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (line === '') {
      if (data.length > 0) said.push(`${name}|${data.join('\n')}`)
      name = ''
      data = []
    } else if (field === 'data') data.push(value)
    else if (field === 'event') name = value
    else if (field !== '' && field !== 'id' && field !== 'retry') said.push(`!${field}|${value}`)
  }
  return said
}

const TOKEN = fc.constantFrom(
  'data',
  'event',
  'id',
  'retry',
  'error',
  ':',
  ': ',
  ' ',
  'x',
  '\n',
  '\n\n',
  '\r',
  '\r\n',
  'ä😀',
)

test('S8 any text in any pieces is read as the standard says', () => {
  fc.assert(
    fc.property(fc.array(fc.array(TOKEN, { maxLength: 12 }), { maxLength: 6 }), (tokens) => {
      const pieces = tokens.map((piece) => piece.join(''))
      expect(heard(...pieces)).toEqual(reference(pieces.join('')))
    }),
    { numRuns: 1000 },
  )
})

test('an event that is too long is refused, in one line or in many', () => {
  const tooLong = /an event is longer than 16777216 characters/
  expect(() => heard(`data: ${'a'.repeat(MAX_EVENT_LENGTH)}`)).toThrow(tooLong)
  const line = `data: ${'a'.repeat(MAX_EVENT_LENGTH / 4)}\n`
  expect(() => heard(line, line, line, line, line)).toThrow(tooLong)
})

test('S8 a stream of nothing but stray lines is given up, in one piece or in many', () => {
  const lines = 'a\n'.repeat(2000)
  expect(() => heard(lines)).toThrow('expected an event stream, got more than 1000 lines')
  expect(() => heard(...Array.from(lines))).toThrow('expected an event stream, got more than 1000 lines')
  expect(() => heard('retry: never\n'.repeat(1001))).toThrow('more than 1000 lines')
  expect(heard('a\n'.repeat(1000))).toHaveLength(1000)
})
