/** The polynomial of IEEE 802.3, least significant bit first. */
const POLYNOMIAL = 0xedb88320
const BITS = 32
const BYTE_VALUES = 256
/** How many bytes are taken in at once, and where the table of the last of them begins. */
const STRIDE = 4
const LAST = (STRIDE - 1) * BYTE_VALUES

/** What becomes of a remainder over four bytes, which are added to it before. */
const STEPS = tablesOf((remainder) => {
  let rest = remainder
  for (let bit = 0; bit < BITS; bit += 1) rest = (rest & 1) === 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1
  return rest
})

/** The remainder before any byte. */
export const NO_REMAINDER = -1

/** Goes on with a remainder over the bytes from one place to another. */
export function remainderOver(before: number, bytes: Uint8Array, begin: number, end: number): number {
  let remainder = before
  let at = begin
  for (; at + STRIDE <= end; at += STRIDE) {
    const low = (bytes[at] as number) | ((bytes[at + 1] as number) << 8)
    const high = ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24)
    remainder = mapped(STEPS, remainder ^ low ^ high)
  }
  for (; at < end; at += 1) {
    remainder = (remainder >>> 8) ^ (STEPS[LAST + ((remainder ^ (bytes[at] as number)) & 0xff)] as number)
  }
  return remainder
}

/** The checksum of the bytes that a remainder was taken over. */
export function checksumOf(remainder: number): number {
  return ~remainder >>> 0
}

/** The CRC-32 of bytes, as in zlib and PNG: the core runs where `node:zlib` does not. */
export function crc32(bytes: Uint8Array): number {
  return checksumOf(remainderOver(NO_REMAINDER, bytes, 0, bytes.length))
}

/**
 * The remainder over bytes that come again and again, without a look at them. Two remainders that differ in some bits
 * differ behind the same bytes in the sum of what each of these bits alone makes, so it takes four tables only.
 */
export class KnownRemainder {
  readonly #ofZero: number
  readonly #tables: Int32Array

  constructor(bytes: Uint8Array) {
    const over = (remainder: number): number => remainderOver(remainder, bytes, 0, bytes.length)
    const ofZero = over(0)
    this.#ofZero = ofZero
    this.#tables = tablesOf((remainder) => over(remainder) ^ ofZero)
  }

  after(remainder: number): number {
    return this.#ofZero ^ mapped(this.#tables, remainder)
  }
}

/** A linear map of 32 bits as a table for each byte; what a number becomes is the sum of what its bytes become. */
function tablesOf(map: (bits: number) => number): Int32Array {
  const tables = new Int32Array(STRIDE * BYTE_VALUES)
  for (let bit = 0; bit < BITS; bit += 1) {
    const table = (bit >>> 3) * BYTE_VALUES
    const value = 1 << (bit & 7)
    const image = map(1 << bit)
    for (let lower = 0; lower < value; lower += 1) {
      tables[table + value + lower] = (tables[table + lower] as number) ^ image
    }
  }
  return tables
}

function mapped(tables: Int32Array, bits: number): number {
  return (
    (tables[bits & 0xff] as number) ^
    (tables[BYTE_VALUES + ((bits >>> 8) & 0xff)] as number) ^
    (tables[2 * BYTE_VALUES + ((bits >>> 16) & 0xff)] as number) ^
    (tables[LAST + (bits >>> 24)] as number)
  )
}
