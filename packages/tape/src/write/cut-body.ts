import type { Buffer } from 'node:buffer'

/** Smaller pieces stay in the line. */
export const SMALLEST_BLOB = 2048

/** A piece is at least this part of what stands before it, so that a huge body has hundreds of pieces at most. */
const PART_OF_BODY = 64

/** Behind a list that grows with the conversation the cuts begin anew, so that what follows it is found again. */
const LIST_END =
  /^\],"(?:messages|model|system|tools|tool_choice|max_tokens|max_completion_tokens|stream|stream_options|metadata|thinking|temperature|context_management|output_config|functions|parallel_tool_calls|reasoning_effort|response_format|stop|stop_sequences|top_p|user)"/

/** Long enough for the longest name of a member in that pattern. */
const LIST_END_LENGTH = 28

/**
 * Cuts a body between two elements of its lists, so that the same beginning is cut in the same way however long the
 * body is: a history that is sent again with one more turn consists of the same pieces and a few new ones.
 */
export function cutBody(body: Buffer): readonly Buffer[] {
  const pieces: Buffer[] = []
  let start = 0
  for (const end of [...listEnds(body), body.length]) {
    cutList(body.subarray(start, end), pieces)
    start = end
  }
  return pieces
}

/** The places behind the brackets and commas of the lists that grow. */
function listEnds(body: Buffer): readonly number[] {
  const ends: number[] = []
  for (let at = body.indexOf('],"'); at >= 0; at = body.indexOf('],"', at + 3)) {
    if (LIST_END.test(body.toString('latin1', at, at + LIST_END_LENGTH))) ends.push(at + 2)
  }
  return ends
}

function cutList(list: Buffer, pieces: Buffer[]): void {
  let start = 0
  while (start < list.length) {
    const smallest = Math.max(SMALLEST_BLOB, Math.floor(start / PART_OF_BODY))
    const candidate = list.indexOf('},{', start + smallest)
    const end = candidate < 0 ? list.length : candidate + 2
    pieces.push(list.subarray(start, end))
    start = end
  }
}
