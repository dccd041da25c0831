/** A frame begins with its length, the length of its headers, and a checksum of the two. */
export const PRELUDE_LENGTH = 12
/** It ends with a checksum of all that comes before. */
export const CHECKSUM_LENGTH = 4

/** The number that four bytes of a frame are. */
export function uint32At(bytes: Uint8Array, at: number): number {
  const high = ((bytes[at] as number) << 24) | ((bytes[at + 1] as number) << 16)
  return (high | ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number)) >>> 0
}
