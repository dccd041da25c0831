/** The parts of a request that routes look at, whatever dialect it came in. */
export interface RoutedParts {
  readonly model: string
  readonly system?: string | readonly RoutedText[] | undefined
  readonly messages: readonly RoutedMessage[]
  readonly tools?: readonly unknown[] | undefined
  readonly stream?: boolean | undefined
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
