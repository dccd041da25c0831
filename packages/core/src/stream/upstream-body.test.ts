import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { toBytes } from '../../test/streams/translator.ts'
import type { StreamDecoder } from '../dialects/dialect.ts'
import { HubError } from '../hub/error.ts'
import { UpstreamBody } from './upstream-body.ts'

function read(...pieces: readonly string[]): string[] {
  return readBytes(pieces.map(toBytes))
}

/** What a decoder hears that knows these events by sight, if any. */
function readBytes(pieces: readonly Uint8Array[], known?: string): string[] {
  const said: string[] = []
  const sight = `data: ${known}\n\n`
  const skim = (bytes: Uint8Array, from: number): number => {
    let at = from
    const text = Buffer.from(bytes).toString('latin1')
    for (; text.startsWith(sight, at); at += sight.length) said.push(`${known}`)
    return at
  }
  const decoder: StreamDecoder = {
    event: (_, data) => {
      if (data.startsWith('{') && !data.endsWith('}'))
        throw new HubError('api_error', 'cut', { cause: new SyntaxError('cut') })
      said.push(data)
    },
    strayLine: (field) => said.push(`!${field}`),
    end: () => said.push('end'),
    finished: false,
    ...(known === undefined ? {} : { skim }),
  }
  const body = new UpstreamBody(decoder, (value) => said.push(`whole ${JSON.stringify(value)}`))
  for (const piece of pieces) body.push(piece)
  body.end()
  return said
}

test('S6 a body that begins with a bracket is one document, whatever comes before it', () => {
  expect(read('{"a":', '1}')).toEqual(['whole {"a":1}'])
  expect(read('\uFEFF\r\n', '\n  ', '[1]\n')).toEqual(['whole [1]'])
})

test('S6 anything else is events', () => {
  expect(read('', '\n', 'data: {"a":1}\n\n')).toEqual(['{"a":1}', 'end'])
  expect(read(': {"a"\n\n', '{"a":1}')).toEqual(['!{"a"', 'end'])
})

test('S7 HTML is refused at once', () => {
  expect(() => read('\n <html>')).toThrow('upstream: expected an event stream, got HTML')
})

test('S6 a document that is cut off, or followed by another, is refused', () => {
  expect(() => read('{"a":')).toThrow('the JSON answer is cut off or not JSON')
  expect(() => read('{"a":1}\n{"b":2}')).toThrow('the JSON answer is cut off or not JSON')
})

test('F12 an event that the end cuts off is left to the decoder to judge', () => {
  expect(read('data: {"a":1}\n\ndata: {"b"')).toEqual(['{"a":1}', 'end'])
  expect(() => read('data: {"b"\n\ndata: {"a":1}\n\n')).toThrow('cut')
})

test('events that are taken by sight are the events that splitting would have found', () => {
  const part = fc.constantFrom(
    'data: k\n\n',
    'data: k\n',
    '\n',
    '\r',
    ': x\n',
    'event: e\n',
    'data: j\n\n',
    'data: ü\n\n',
    'da',
    'ta: k',
  )
  const body = fc.array(part, { maxLength: 20 }).map((parts) => toBytes(parts.join('')))
  fc.assert(
    fc.property(body, fc.array(fc.nat(60)), (bytes, cuts) => {
      const pieces = cutAt(bytes, cuts)
      expect(readBytes(pieces, 'k')).toEqual(readBytes([bytes]))
    }),
    { numRuns: 2000 },
  )
})

test('half a character between two events is not passed over, wherever the read ends', () => {
  const body = Buffer.concat([toBytes('data: j\n\n'), Buffer.of(0xc3), toBytes('data: k\n\ndata: k\n\n')])
  const whole = readBytes([body])
  for (let cut = 0; cut < body.length; cut += 1) {
    expect(readBytes([body.subarray(0, cut), body.subarray(cut)], 'k')).toEqual(whole)
  }
})

function cutAt(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.filter((cut) => cut < bytes.length).toSorted((a, b) => a - b), bytes.length]
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end))
}
