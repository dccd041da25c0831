import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonScanner } from '../stream/json-scanner.ts'
import { runOf } from '../../test/streams/run-of.ts'
import { scanRun } from './scan-run.ts'

const value = fc.jsonValue().map((one) => JSON.stringify({ one }))
const odd = fc.array(
  fc.constantFrom('"', '\\', '\\u00', 'e9', '{', '}', '\n', '\t', ' ', '1', 'ü', '🎉', 'x', ':', ','),
)

test('the texts of a run are followed as the same pieces without their escapes are', () => {
  const json = fc.oneof(
    value,
    odd.map((parts) => `{"a":"${parts.join('')}`),
  )
  fc.assert(
    fc.property(json, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), (text, lengths) => {
      const characters = Array.from(text)
      const read = new JsonScanner()
      const scanned = new JsonScanner()
      for (let turn = 0; characters.length > 0; turn += 1) {
        const count = lengths[turn % lengths.length] as number
        const pieces = characters.splice(0, count)
        read.push(pieces.join(''))
        scanRun(scanned, runOf(pieces))
        expect([scanned.state, scanned.isInString]).toEqual([read.state, read.isInString])
      }
    }),
  )
})
