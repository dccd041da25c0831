import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { toBytes } from '../../test/streams/translator.ts'
import type { StreamDecoder } from '../dialects/dialect.ts'
import { HubError } from '../hub/error.ts'
import { fastTextBody } from './fast-text-body.ts'

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
    ...(known === undefined ? {} : { skim, count: 0 }),
  }
  const body = fastTextBody(decoder, (value) => said.push(`whole ${JSON.stringify(value)}`))
  for (const piece of pieces) body.push(piece)
  body.end()
  return said
}

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
