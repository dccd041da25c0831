/** A source of numbers that the same seed always gives again. */
export interface Random {
  /** A whole number from 0 up to but not including the limit. */
  below(limit: number): number
}

/** Creates the source of one case: the seed of the whole run, and the number of the case in it. */
export function newRandom(seed: number, number: number): Random {
  // Neighbouring seeds and numbers must not begin alike.
  let state = mix(mix(seed >>> 0) ^ mix((number + 0x9e3779b9) >>> 0))
  return {
    below(limit) {
      state = (state + 0x6d2b79f5) >>> 0
      return Math.floor((mix(state) / 2 ** 32) * limit)
    },
  }
}

/** Spreads each bit of a number over all of them. */
function mix(value: number): number {
  let mixed = value
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
  return (mixed ^ (mixed >>> 15)) >>> 0
}
