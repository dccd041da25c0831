import type { ReadProgress } from '../dialects/dialect.ts'

const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/** Where the last event ends that is complete, 0 if none is; `before` are the bytes that came before these. */
export function endOfLastEvent(bytes: Uint8Array, before: Uint8Array = NOTHING): number {
  for (
    let at = bytes.lastIndexOf(LINE_FEED);
    at !== -1;
    at = at === 0 ? -1 : bytes.lastIndexOf(LINE_FEED, at - 1)
  ) {
    if (isBlankLine(bytes, at, before)) return at + 1
  }
  // Lines that end with nothing but a carriage return are rare.
  for (
    let at = bytes.lastIndexOf(CARRIAGE_RETURN);
    at !== -1;
    at = at === 0 ? -1 : bytes.lastIndexOf(CARRIAGE_RETURN, at - 1)
  ) {
    if (isBlankLine(bytes, at, before)) return at + 1
  }
  return 0
}

/** Where the event ends that begins here; the end of the bytes if it has none. */
export function endOfEvent(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN) continue
    // The two together are one end of a line.
    if (byte === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED) continue
    if (at > from && isBlankLine(bytes, at, NOTHING)) return at + 1
  }
  return bytes.length
}

const NOTHING = new Uint8Array(0)

/** Whether the line that ends at this byte is empty. */
function isBlankLine(bytes: Uint8Array, end: number, before: Uint8Array): boolean {
  const isPair = bytes[end] === LINE_FEED && byteAt(bytes, end - 1, before) === CARRIAGE_RETURN
  const previous = byteAt(bytes, isPair ? end - 2 : end - 1, before)
  // The other half of the line's end may still be on its way.
  if (bytes[end] === CARRIAGE_RETURN && previous === LINE_FEED && end === bytes.length - 1) return false
  return previous === LINE_FEED || previous === CARRIAGE_RETURN
}

function byteAt(bytes: Uint8Array, index: number, before: Uint8Array): number | undefined {
  return index >= 0 ? bytes[index] : before.at(index)
}

/** Where the last event begins and ends that was read, or the lines outside of events that failed behind it. */
export function placeOfEvent(
  bytes: Uint8Array,
  { from, events, isStray }: ReadProgress,
): { readonly begin: number; readonly end: number } {
  let begin = from
  for (let left = isStray ? events + 1 : events; ;) {
    const end = endOfEvent(bytes, begin)
    if (hasData(bytes.subarray(begin, end)) || (isStray && left === 1)) left -= 1
    if (left <= 0 || end === bytes.length) return { begin, end }
    begin = end
  }
}

const DATA = [0x64, 0x61, 0x74, 0x61] as const
const LINE_ENDS: ReadonlySet<number | undefined> = new Set([undefined, LINE_FEED, CARRIAGE_RETURN])

/** Whether an event has a line of data: others are not dispatched. */
export function hasData(event: Uint8Array): boolean {
  for (let at = event.indexOf(DATA[0]); at !== -1; at = event.indexOf(DATA[0], at + 1)) {
    const isName = DATA.every((byte, index) => event[at + index] === byte)
    if (isName && LINE_ENDS.has(event[at - 1])) return true
  }
  return false
}
