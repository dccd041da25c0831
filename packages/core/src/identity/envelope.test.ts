import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { toBase64Url } from './base64url.ts'
import { openEnvelope, sealEnvelope } from './envelope.ts'

test('what is sealed can be opened', () => {
  const text = fc.string({ unit: 'grapheme' })
  fc.assert(
    fc.property(text, text, (callId, thoughtSignature) => {
      const sealed = sealEnvelope({ callId, thoughtSignature })
      expect(sealed).toMatch(/^hydra1\.[a-zA-Z0-9_-]+$/)
      expect(openEnvelope(sealed)).toEqual({ callId, thoughtSignature })
    }),
    { seed: 1 },
  )
})

test.each([
  '',
  'EqQBCgIYAhIM',
  'hydra1.',
  'hydra1.%%%',
  `hydra1.${toBase64Url('no json')}`,
  `hydra1.${toBase64Url('null')}`,
  `hydra1.${toBase64Url('{"callId":1,"thoughtSignature":"s"}')}`,
  toBase64Url('{"callId":"c","thoughtSignature":"s"}'),
])('the signature %j is not ours', (signature) => {
  expect(openEnvelope(signature)).toBeUndefined()
})
