/** What a number takes at most, in bytes: 53 bits, seven in each. */
export const MAX_NUMBER_BYTES = 8

/** Writes a whole number that is not negative, small ones in fewer bytes; says where the next one goes. */
export function writeNumber(bytes: Uint8Array, value: number, at: number): number {
  let place = at
  let rest = value
  while (rest > 0x7f) {
    bytes[place] = (rest & 0x7f) | 0x80
    rest = Math.floor(rest / 0x80)
    place += 1
  }
  bytes[place] = rest
  return place + 1
}

/** Reads numbers that were written one behind the other, and says where they end. */
export function readNumbers(
  bytes: Uint8Array,
  count: number,
  at: number,
): { readonly numbers: readonly number[]; readonly end: number } {
  const numbers: number[] = []
  let place = at
  while (numbers.length < count) {
    let value = 0
    let scale = 1
    for (; (bytes[place] ?? 0) > 0x7f; place += 1, scale *= 0x80)
      value += ((bytes[place] ?? 0) & 0x7f) * scale
    numbers.push(value + (bytes[place] ?? 0) * scale)
    place += 1
  }
  return { numbers, end: place }
}
