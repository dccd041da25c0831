/** The parts of a request that routes and budgets look at, whatever dialect it came in. */
export interface RoutedParts {
  readonly model: string
  readonly system?: string | readonly RoutedText[] | undefined
  readonly messages: readonly RoutedMessage[]
  readonly tools?: readonly unknown[] | undefined
  readonly stream?: boolean | undefined
  /** The most tokens that an answer may have, and how many answers are asked for, as far as the request says. */
  readonly max_tokens?: number | undefined
  readonly answers?: number | undefined
}

/** The parts of a message that routes look at. */
export interface RoutedMessage {
  readonly role: string
  readonly content?: RoutedContent | undefined
}

/** The content of a message, as far as it is certain what is text and what is an image. */
export type RoutedContent = string | readonly RoutedBlock[]

/** A block of content. */
export interface RoutedBlock {
  readonly type: string
  readonly text?: string
  /** What a tool result holds. */
  readonly content?: unknown
}

/** A piece of the system prompt. */
export interface RoutedText {
  readonly type: 'text'
  readonly text: string
}
