import type { Hash } from 'node:crypto'
import type { LegHash } from './leg-hash.ts'

/** A piece of a body, the same object whenever it comes again. */
export interface HashedPiece {
  readonly bytes: Uint8Array
  /** Whether it can come again. */
  readonly isKept: boolean
}

/** This many beginnings are remembered. */
const MAX_BEGINNINGS = 1024

/**
 * Hashes bodies. An agent sends its history again with every turn: what a body has in common with others before it is
 * not hashed again.
 */
export class KnownBeginnings {
  #nothing = new Beginning()
  #count = 0

  /** A leg goes on with a body. */
  hash(leg: LegHash, pieces: readonly HashedPiece[]): void {
    let known: Beginning | undefined = leg.isEmpty ? this.#nothing : undefined
    for (const piece of pieces) {
      const longer: Beginning | undefined = known?.longer.get(piece)
      if (longer === undefined) known = this.#goOn(leg, piece, known)
      else known = longer
    }
    if (known?.hash !== undefined && leg.isEmpty) leg.beginBehind(known.hash)
  }

  /** Hashes a piece behind a beginning, if it is known, and gives the longer one. */
  #goOn(leg: LegHash, piece: HashedPiece, known: Beginning | undefined): Beginning | undefined {
    if (known?.hash !== undefined && leg.isEmpty) leg.beginBehind(known.hash)
    leg.update(piece.bytes)
    return known !== undefined && piece.isKept ? this.#remember(known, piece, leg.copy()) : undefined
  }

  #remember(known: Beginning, piece: HashedPiece, hash: Hash): Beginning {
    const longer = new Beginning(hash)
    if (this.#count >= MAX_BEGINNINGS) {
      this.#nothing = new Beginning()
      this.#count = 0
    }
    known.longer.set(piece, longer)
    this.#count += 1
    return longer
  }
}

/** The beginning of bodies that were hashed before. */
class Beginning {
  /** The hash up to here, which goes on elsewhere; undefined for nothing at all. */
  readonly hash: Hash | undefined
  /** What came behind it. */
  readonly longer = new Map<HashedPiece, Beginning>()

  constructor(hash?: Hash) {
    this.hash = hash
  }
}
