import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { toBase64Url } from './base64url.ts'
import { type Envelope, GEMINI, openEnvelope, sealEnvelope } from './envelope.ts'

test('what is sealed can be opened', () => {
  const text = fc.string({ unit: 'grapheme' })
  const envelope = fc.record(
    { by: fc.oneof(text, fc.constant(GEMINI)), proof: text, callId: text, id: text },
    { requiredKeys: ['by', 'proof'] },
  ) as fc.Arbitrary<Envelope>
  fc.assert(
    fc.property(envelope, (sent) => {
      const sealed = sealEnvelope(sent)
      expect(sealed).toMatch(/^hydra[12]\.[a-zA-Z0-9_-]+$/)
      expect(openEnvelope(sealed)).toEqual(sent)
    }),
    { seed: 1 },
  )
})

test('the signature of a call is written as conversations already hold it', () => {
  const sealed = sealEnvelope({ by: GEMINI, proof: 's', callId: 'c' })
  expect(sealed).toBe(`hydra1.${toBase64Url('{"callId":"c","thoughtSignature":"s"}')}`)
})

test.each([
  '',
  'EqQBCgIYAhIM',
  'hydra1.',
  'hydra1.%%%',
  `hydra1.${toBase64Url('no json')}`,
  `hydra1.${toBase64Url('null')}`,
  `hydra1.${toBase64Url('{"callId":1,"thoughtSignature":"s"}')}`,
  `hydra2.${toBase64Url('{"by":"gemini"}')}`,
  `hydra2.${toBase64Url('[]')}`,
  toBase64Url('{"callId":"c","thoughtSignature":"s"}'),
])('the signature %j is not ours', (signature) => {
  expect(openEnvelope(signature)).toBeUndefined()
})
