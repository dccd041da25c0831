/** The remainder of each byte by the polynomial of IEEE 802.3, least significant bit first. */
const REMAINDERS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte
  for (let bit = 0; bit < 8; bit += 1) {
    remainder = (remainder & 1) === 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1
  }
  return remainder
})

/** The CRC-32 of bytes, as in zlib and PNG: the core runs where `node:zlib` does not. */
export function crc32(bytes: Uint8Array): number {
  let checksum = 0xffffffff
  for (const byte of bytes) checksum = (checksum >>> 8) ^ (REMAINDERS[(checksum ^ byte) & 0xff] as number)
  return (checksum ^ 0xffffffff) >>> 0
}
