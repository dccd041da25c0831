import { HubError, invalidRequest } from '@hydra/core'

/** How the functions of Node's zlib are called, which stop at a length of output. */
type ZlibFunction = (
  bytes: Uint8Array,
  options: { readonly maxOutputLength: number; readonly params?: Readonly<Record<number, number>> },
  done: (error: (Error & { readonly code?: string }) | null, result: Uint8Array) => void,
) => void

/** Node's zlib, which Bun, Deno and others have as well. */
type Zlib = Readonly<Record<string, ZlibFunction | undefined>>

/** Asked for in this way, it is found where it exists, and a bundler for other runtimes does not trip over it. */
function findZlib(): Zlib | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(id: string): unknown } }
  return process?.getBuiltinModule?.('node:zlib') as Zlib | undefined
}

/** A way to pack a body: its function in Node's zlib, and its name on the web. */
interface Packing {
  readonly zlib: string
  readonly web: string
}

type WebFormat = ConstructorParameters<typeof DecompressionStream>[0]

const GZIP: Packing = { zlib: 'gunzip', web: 'gzip' }
const RAW_DEFLATE: Packing = { zlib: 'inflateRaw', web: 'deflate-raw' }
const PACKINGS: ReadonlyMap<string, Packing> = new Map([
  ['gzip', GZIP],
  ['x-gzip', GZIP],
  ['deflate', { zlib: 'inflate', web: 'deflate' }],
  ['br', { zlib: 'brotliDecompress', web: 'brotli' }],
  ['zstd', { zlib: 'zstdDecompress', web: 'zstd' }],
])

/** A frame of zstd says how much memory its reader must reserve: 2^25 is more than any level but the ultra ones asks for. */
const ZSTD_LIMITS = { params: { 100: 25 } } as const

/** Unpacks the body of a request; without an encoding there is nothing to do. */
export interface Unpacker {
  /** What content-encoding says, if something is to be unpacked; one that is not known here is an error. */
  expect(encoding: string | undefined): string | undefined
  /** The bytes as they were before they were packed; more of them than the limit is an error. */
  unpack(bytes: Uint8Array, encoding: string, limit: number): Promise<Uint8Array>
}

/** Creates the unpacker of a runtime, by default of this one. */
export function createUnpacker(zlib: Zlib | undefined = findZlib()): Unpacker {
  const known = [...PACKINGS].filter(([, packing]) => canRead(packing, zlib)).map(([name]) => name)
  return {
    expect(encoding) {
      const name = encoding?.trim().toLowerCase() ?? ''
      if (name === '' || name === 'identity') return undefined
      if (known.includes(name)) return name
      throw new HubError(
        'invalid_request_error',
        `content-encoding: expected one of ${known.join(', ')} or none, got ${encoding}`,
        { status: 415 },
      )
    },
    async unpack(bytes, encoding, limit) {
      const packing = packingOf(bytes, encoding)
      try {
        const native = zlib?.[packing.zlib]
        return await (native === undefined
          ? unpackStream(bytes, packing, limit)
          : unpackWith(native, bytes, { maxOutputLength: limit, ...(encoding === 'zstd' && ZSTD_LIMITS) }))
      } catch (error) {
        throw refusalOf(error, encoding, limit)
      }
    },
  }
}

/** Some clients say deflate and leave out the frame that belongs to it. */
function packingOf([first = 0, second = 0]: Uint8Array, encoding: string): Packing {
  const isFramed = (first & 15) === 8 && (first * 256 + second) % 31 === 0
  return encoding === 'deflate' && !isFramed ? RAW_DEFLATE : (PACKINGS.get(encoding) ?? GZIP)
}

function canRead({ zlib: name, web }: Packing, zlib: Zlib | undefined): boolean {
  if (zlib?.[name] !== undefined) return true
  try {
    return Boolean(new DecompressionStream(web as WebFormat))
  } catch {
    return false
  }
}

function unpackWith(
  native: ZlibFunction,
  bytes: Uint8Array,
  options: Parameters<ZlibFunction>[1],
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    native(bytes, options, (error, result) => (error === null ? resolve(result) : reject(error)))
  })
}

class TooLongError extends Error {
  readonly code = 'ERR_BUFFER_TOO_LARGE'
}

async function unpackStream(bytes: Uint8Array, { web }: Packing, limit: number): Promise<Uint8Array> {
  const packed = new Blob([new Uint8Array(bytes)])
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for await (const piece of packed.stream().pipeThrough(new DecompressionStream(web as WebFormat))) {
    length += piece.byteLength
    if (length > limit) throw new TooLongError()
    pieces.push(piece)
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer())
}

function refusalOf(error: unknown, encoding: string, limit: number): HubError {
  const { code, message } = error as { code?: string; message: string }
  if (code === 'ERR_BUFFER_TOO_LARGE') {
    return new HubError('request_too_large', `the request is larger than ${limit} bytes when it is unpacked`)
  }
  return invalidRequest(
    '',
    `content-encoding: expected a body in ${encoding}, which cannot be read: ${message}`,
  )
}
