/** The events of a body, so many in each read; its end may be no event. */
export function eventReads(body: Uint8Array, count: number): readonly Uint8Array[] {
  const reads: Uint8Array[] = []
  for (let begin = 0; begin < body.length;) {
    let end = begin
    for (let event = 0; event < count && end < body.length; event += 1) end = endOfEvent(body, end)
    reads.push(body.subarray(begin, end))
    begin = end
  }
  return reads
}

/** A frame says how long it is; an event ends with a blank line. */
function endOfEvent(body: Uint8Array, from: number): number {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  if (bytes[from] === 0) return from + bytes.readUInt32BE(from)
  const ends = ['\n\n', '\r\n\r\n'].map((blank) => ({ at: bytes.indexOf(blank, from), length: blank.length }))
  const found = ends.filter(({ at }) => at !== -1).toSorted((one, other) => one.at - other.at)
  return found[0] === undefined ? body.length : found[0].at + found[0].length
}
