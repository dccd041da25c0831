import { splitEvents } from '@hydra/core'
import type { TapedChunk } from '../format/tape.ts'

/** In which pieces an answer is sent: as recorded, one per event, one per byte, or at random from a seed. */
export type Rechunk = 'as-recorded' | 'events' | 'bytes' | { readonly random: number }

/** The longest piece that is made at random. */
const LONGEST = 64

/** Cuts an answer anew. A piece comes when the last of its bytes came; the bytes stay the same. */
export function rechunk(chunks: readonly TapedChunk[], mode: Rechunk): readonly TapedChunk[] {
  if (mode === 'as-recorded') return chunks.filter(({ bytes }) => bytes.length > 0)
  const whole = Buffer.concat(chunks.map(({ bytes }) => bytes))
  const timed: TapedChunk[] = []
  const times = timesOf(chunks)
  let start = 0
  for (const length of lengths(whole, mode)) {
    const end = Math.min(start + length, whole.length)
    timed.push({ at: times(end), bytes: whole.subarray(start, end) })
    start = end
  }
  return timed
}

function* lengths(whole: Uint8Array, mode: Exclude<Rechunk, 'as-recorded'>): Generator<number> {
  if (mode === 'events') {
    for (const piece of splitEvents(whole)) yield piece.length
    return
  }
  const next = mode === 'bytes' ? () => 1 : randomLengths(mode.random)
  for (let sent = 0; sent < whole.length;) {
    const length = next()
    yield length
    sent += length
  }
}

/** Tells when the byte before an offset came; offsets are asked for in rising order. */
function timesOf(chunks: readonly TapedChunk[]): (end: number) => number {
  let index = 0
  let covered = chunks[0]?.bytes.length ?? 0
  return (end) => {
    while (covered < end) {
      index += 1
      covered += chunks[index]?.bytes.length ?? Infinity
    }
    return chunks[index]?.at ?? 0
  }
}

/** Lengths that look random and are the same for the same seed (mulberry32). */
function randomLengths(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return 1 + (((mixed ^ (mixed >>> 14)) >>> 0) % LONGEST)
  }
}
