import { expect, test } from 'vitest'
import { VisibleBytes } from './visible-bytes.ts'

test.each([0, 3, 16 * 1024, 16 * 1024 + 1])('%i bytes are shown as they are, up to their end', (length) => {
  const bytes = Uint8Array.from({ length }, (_, index) => index % 251)
  const shown = new VisibleBytes()
  shown.show(new Uint8Array(500).fill(7))
  shown.show(bytes)
  expect(shown.end).toBe(length)
  expect(Buffer.from(shown.bytes.subarray(0, shown.end)).equals(bytes)).toBe(true)
  for (let at = 0; at + 4 <= length; at += 1000) {
    expect(shown.view.getUint32(at)).toBe(Buffer.from(bytes).readUInt32BE(at))
  }
})
