import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { HubError } from '@hydra/core'
import { describe, expect, test } from 'vitest'
import { createUnpacker, type Unpacker } from './unpack.ts'

const BODY = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'é'.repeat(500) }] })
const PACKED: readonly (readonly [string, Uint8Array])[] = [
  ['gzip', gzipSync(BODY)],
  ['x-gzip', gzipSync(BODY)],
  ['deflate', deflateSync(BODY)],
  ['deflate', deflateRawSync(BODY)],
  ['br', brotliCompressSync(BODY)],
  ['zstd', zstdCompressSync(BODY)],
]
const LIMIT = 10_000

async function failureOf(unpacking: Promise<Uint8Array>): Promise<HubError> {
  const failure = await unpacking.catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(HubError)
  return failure as HubError
}

describe.each<[string, Unpacker, readonly string[]]>([
  ['with Node’s zlib', createUnpacker(), ['gzip', 'x-gzip', 'deflate', 'br', 'zstd']],
  ['with what the web has', createUnpacker({}), ['gzip', 'x-gzip', 'deflate', 'br']],
])('%s', (_name, unpacker, known) => {
  const readable = PACKED.filter(([encoding]) => known.includes(encoding))

  test.each(readable)('%s is unpacked', async (encoding, packed) => {
    const bytes = await unpacker.unpack(packed, encoding, LIMIT)
    expect(new TextDecoder().decode(bytes)).toBe(BODY)
  })

  test.each(readable)('%s is unpacked up to the limit and no further', async (encoding, packed) => {
    const { status, kind } = await failureOf(unpacker.unpack(packed, encoding, 1000))
    expect({ status, kind }).toEqual({ status: 413, kind: 'request_too_large' })
  })

  test.each(readable)('%s that is cut off is an error, and never a part', async (encoding, packed) => {
    const failures = [0, 1, packed.length >> 1, packed.length - 1].map((length) =>
      failureOf(unpacker.unpack(packed.subarray(0, length), encoding, LIMIT)),
    )
    const statuses = (await Promise.all(failures)).map(({ status }) => status)
    expect(statuses).toEqual([400, 400, 400, 400])
  })

  test.each(readable)('what is said to be %s and is not is an error that says so', async (encoding) => {
    const plain = new TextEncoder().encode(BODY)
    const { status, message } = await failureOf(unpacker.unpack(plain, encoding, LIMIT))
    expect(status).toBe(400)
    expect(message).toContain(`content-encoding: expected a body in ${encoding}`)
  })

  test('an encoding that is not known is refused with those that are', () => {
    expect(() => unpacker.expect('lzma')).toThrow(
      expect.objectContaining({
        status: 415,
        message: `content-encoding: expected one of ${known.join(', ')} or none, got lzma`,
      }),
    )
  })

  test('without an encoding there is nothing to unpack', () => {
    expect([undefined, '', 'identity', ' Identity '].map((name) => unpacker.expect(name))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(unpacker.expect('GZIP')).toBe('gzip')
  })
})

test('a frame of zstd that asks for too much memory is refused', async () => {
  // A window of 2^27 bytes.
  const frame = new Uint8Array([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x88, 0x01, 0x00, 0x00])
  expect((await failureOf(createUnpacker().unpack(frame, 'zstd', LIMIT))).status).toBe(400)
})
