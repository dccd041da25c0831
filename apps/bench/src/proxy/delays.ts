/** The text of an event that says when it was sent; all processes of a machine share the clock. */
export function sentAt(): string {
  return ` @${process.hrtime.bigint() / 1000n}@`
}

const SENT_AT = /@(\d+)@/g

/** How long the events took that a piece of an answer holds, in milliseconds. */
export function delaysIn(piece: string): number[] {
  const now = Number(process.hrtime.bigint() / 1000n)
  return Array.from(piece.matchAll(SENT_AT), ([, sent]) => (now - Number(sent)) / 1000)
}
