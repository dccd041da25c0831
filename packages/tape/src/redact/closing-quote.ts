const BACKSLASH = 0x5c

/** The place of the quote that ends a string which goes on from a place; -1 if it does not end before another. */
export function closingQuote(bytes: string, from: number, to: number): number {
  for (
    let quote = bytes.indexOf('"', from);
    quote >= 0 && quote < to;
    quote = bytes.indexOf('"', quote + 1)
  ) {
    if (!isEscapedAt(bytes, quote, from)) return quote
  }
  return -1
}

/** Whether an odd number of backslashes precedes a place, looking no further back than another. */
export function isEscapedAt(bytes: string, place: number, first: number): boolean {
  let start = place
  while (start > first && bytes.charCodeAt(start - 1) === BACKSLASH) start -= 1
  return (place - start) % 2 === 1
}
