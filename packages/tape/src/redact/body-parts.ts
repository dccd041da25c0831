import type { Piece } from './piece.ts'

/** Learns where the texts of a piece are. Whatever is neither text nor skipped is plain: what surrounds the texts. */
export interface BodyParts {
  /** A string begins that is a part of a text; its path and the ids beside it say which one. */
  openText(path: string, ids: string): void
  /** The string that was opened last goes on with these bytes of the piece; empty ones are reported as well. */
  text(from: number, to: number): void
  /** These bytes of the piece are no text of any kind, and must never be covered. */
  skip(from: number, to: number): void
}

/** Finds the texts in a body of one kind, piece by piece; where it is cut makes no difference. */
export interface BodyLayout {
  /** Goes on with a piece, from one of its bytes on. */
  scan(piece: Piece, from: number): void
  /** Whether the last piece ended between two events, so that what follows depends on nothing before it. */
  readonly isBetweenEvents: boolean
}
