import type { ClientCall } from '@hydra/core'

/** The events of one answer as an upstream sends them: what opens it, its many pieces, what closes it. */
export interface AnswerStream {
  readonly opening: Uint8Array
  /** The JSON of each piece's event. */
  readonly chunks: readonly string[]
  /** The same as they are sent. */
  readonly events: readonly Uint8Array[]
  readonly closing: Uint8Array
  /** The piece that an event has brought, for the floor: it looks nowhere else. */
  readonly pieceIn: (event: unknown) => string
}

/** Answers as the real servers of a dialect word them, with all that differs from event to event. */
export interface BenchedUpstream {
  readonly contentType: string
  /** An answer of text. */
  readonly text: (pieces: readonly string[]) => AnswerStream
  /** A call of `Write` with pieces of JSON as its arguments; absent where arguments come in one piece. */
  readonly call?: (pieces: readonly string[]) => AnswerStream
  /** The same text without a stream; absent where there is no other form. */
  readonly whole?: (text: string) => string
}

/** What a client of a dialect sends and gets. */
export interface BenchedClient {
  /** Where it asks for a stream, or for a whole answer. */
  readonly address: (stream: boolean) => Pick<ClientCall, 'path' | 'params' | 'query'>
  /** What its requests say beside what every request says, to get a stream or not. */
  readonly asking: (stream: boolean) => object
  /** The event that it gets for a piece of text, for the floor. */
  readonly textEvent: (text: string) => object
  /** The same for a piece of arguments; absent where a call is told when it is whole. */
  readonly callEvent?: (json: string) => object
}

/** How a dialect is measured. */
export interface BenchedDialect {
  readonly upstream: BenchedUpstream
  readonly client?: BenchedClient
}
