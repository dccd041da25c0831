/** How many streams are recorded at once, on how many tapes. */
export const STREAMS = 50
export const SESSIONS = 5

/** How many chunks a stream has. */
export const CHUNKS = 30

/** A request that is large enough to be stored in pieces. */
export function requestOf(name: string): string {
  return JSON.stringify({
    messages: Array.from({ length: 40 }, (_, index) => ({ text: `${name} ${index} `.repeat(8) })),
  })
}

/** A chunk that can be the beginning of no secret and is therefore written at once. */
export function chunkOf(name: string, index: number): string {
  return `data: {"choices":[{"index":0,"delta":{"content":"${name}, chunk ${index}; ä!"}}]}\n\n`
}
