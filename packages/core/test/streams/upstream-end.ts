/** Where the lines of a body end: `\r\n`, `\n` or `\r`. */
const LINE_END = /\r\n|\n|\r/g

/**
 * After how many bytes of an event stream the upstream has said that its answer is finished, `Infinity` if it
 * never does. Reads the lines by itself, so that a sweep does not believe what it checks.
 */
export function upstreamEndOf(bytes: Uint8Array): number {
  const body = new TextDecoder().decode(bytes)
  let event = ''
  let from = 0
  for (const match of [...body.matchAll(LINE_END), { 0: '', index: body.length }]) {
    const line = body.slice(from, match.index)
    if (line.startsWith('data:')) event += line.slice(5).trimStart()
    if (isEnd(event)) return new TextEncoder().encode(body.slice(0, match.index)).length
    if (line === '') event = ''
    from = match.index + match[0].length
  }
  return Infinity
}

interface Chunk {
  readonly choices?: readonly { readonly index?: number; readonly finish_reason?: string | null }[]
}

function isEnd(event: string): boolean {
  if (event === '[DONE]') return true
  try {
    const { choices = [] } = JSON.parse(event) as Chunk
    return choices.some((choice) => (choice.index ?? 0) === 0 && Boolean(choice.finish_reason))
  } catch {
    return false
  }
}
