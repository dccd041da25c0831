/** A request of the toy protocol. */
export interface ToyRequest {
  readonly engine: string
  readonly said: readonly ToyTurn[]
  /** Whether the answer comes word by word. */
  readonly flow?: boolean
}

/** One turn: words, or a deed that the engine wants done, or what came of one. */
export interface ToyTurn {
  readonly by: 'rules' | 'person' | 'engine' | 'deed'
  readonly words?: string
  readonly deed?: ToyDeed
  /** Which deed it came of. */
  readonly of?: string
}

/** Something that the engine wants done. */
export interface ToyDeed {
  readonly mark: string
  readonly what: string
  readonly how: string
}

/** One piece of an answer; the last one says why there is no more. */
export type ToyPiece =
  | { readonly hello: string }
  | { readonly words: string }
  | { readonly deed: ToyDeed }
  | { readonly bye: 'said' | 'deeds' | 'full'; readonly heard: number; readonly spoken: number }
  | { readonly oops: string }

/** A whole answer. */
export interface ToyAnswer {
  readonly id: string
  readonly pieces: readonly ToyPiece[]
}

/** The one name of the dialect. */
export const TOY = 'toy'
