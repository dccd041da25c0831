/** How many backslashes stand directly before a place, looking no further back than another. */
export function backslashesBefore(bytes: string, end: number, least: number): number {
  let start = end
  while (start > least && bytes.charCodeAt(start - 1) === 92) start -= 1
  return end - start
}

/** Whether bytes can be the beginning of a stream of events; JSON and markup are one text. Undefined for white space. */
export function hasEvents(bytes: string): boolean | undefined {
  const first = /\S/.exec(bytes)?.[0]
  return first === undefined ? undefined : first !== '{' && first !== '[' && first !== '<'
}
