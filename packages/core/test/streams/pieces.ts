import { inputOf, type ReadBlock } from './grammar.ts'

/** Bytes, split at these shares of their length. */
export function pieces(bytes: Uint8Array, splits: readonly number[]): Uint8Array[] {
  const places = splits.map((share) => Math.floor(share * bytes.length)).toSorted((one, other) => one - other)
  return [...places, bytes.length].map((end, number) => bytes.subarray(places[number - 1] ?? 0, end))
}

/** What a block says, as an answer that was meant says it. */
export function meant(block: ReadBlock): object {
  const { start, content } = block
  if (start.type === 'tool_use') return { type: start.type, name: start.name, input: inputOf(block) }
  return { type: start.type, content }
}
