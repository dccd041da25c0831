/** A call that a client makes when it starts, before it has anything to ask. */
export interface StartUpCall {
  readonly method: 'GET' | 'HEAD' | 'POST'
  readonly path: string
  /** The JSON value of the answer; absent for an answer without a body. */
  readonly answer?: unknown
}

/** What one client does beyond its dialect; it does not do what is absent here. */
export interface ClientHabits {
  readonly name: string
  /** Calls that must be answered for the client to start. */
  readonly startUpCalls?: readonly StartUpCall[]
  /** What its user agent begins with, in small or capital letters. */
  readonly agent?: string
  /** Whether it gives up when the connection of an answer breaks, although it asks again after an error. */
  readonly givesUpOnBreak?: true
  /** Whether it goes on at once when the connection of an answer breaks, but not after an error. */
  readonly goesOnAfterBreak?: true
  /** Whether it learns only inside of a stream that its conversation is too long, and then makes it shorter. */
  readonly readsOverflowInStream?: true
  /** The header that says which session is asking. */
  readonly sessionHeader?: string
  /** The header of requests that come from an agent which another agent has started. */
  readonly subagentHeader?: string
  /** The session that is named inside of the user's id. */
  sessionOf?(userId: string): string | undefined
  /** Whether a block of the system prompt is for the client's own provider only. */
  isForProviderOnly?(text: string): boolean
  /** Whether a text in a user's turn was written by the client and not by the user. */
  isReminder?(text: string): boolean
  /** Whether the words of a tool's result only say that there is none. */
  saysNoResult?(words: string): boolean
}
