import { expect, test } from 'vitest'
import { toBytes } from '../../test/streams/translator.ts'
import type { StreamDecoder } from '../dialects/dialect.ts'
import { HubError } from '../hub/error.ts'
import { UpstreamBody } from './upstream-body.ts'

function read(...pieces: readonly string[]): string[] {
  return readBytes(pieces.map(toBytes))
}

/** What a decoder hears. */
function readBytes(pieces: readonly Uint8Array[]): string[] {
  const said: string[] = []
  const decoder: StreamDecoder = {
    event: (_, data) => {
      if (data.startsWith('{') && !data.endsWith('}'))
        throw new HubError('api_error', 'cut', { cause: new SyntaxError('cut') })
      said.push(data)
    },
    strayLine: (field) => said.push(`!${field}`),
    end: () => said.push('end'),
    finished: false,
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
