import type { Buffer } from 'node:buffer'
import { crc32 } from 'node:zlib'

/** The payloads of the frames of an AWS event stream; throws at a checksum that does not fit. */
export function framePayloads(bytes: Buffer): readonly string[] {
  const payloads: string[] = []
  for (let start = 0; start < bytes.length;) {
    const length = bytes.readUInt32BE(start)
    const one = bytes.subarray(start, start + length)
    if (crc32(one.subarray(0, 8)) !== one.readUInt32BE(8)) throw new Error(`prelude at ${start}`)
    if (crc32(one.subarray(0, -4)) !== one.readUInt32BE(length - 4)) throw new Error(`frame at ${start}`)
    payloads.push(one.subarray(12 + one.readUInt32BE(4), -4).toString('utf8'))
    start += length
  }
  return payloads
}
