/** The name of the dialect, which is also whose proofs its envelopes hold. */
export const NAME = 'amazon-q'

/** A picture, by its data in base64. */
export interface QImage {
  readonly format: string
  readonly source: { readonly bytes: string }
}

/** What a call gave back. */
export interface QToolResult {
  readonly toolUseId: string
  readonly content: readonly { readonly text: string }[]
  readonly status: 'success' | 'error'
}

/** A tool that the model may call. */
export interface QTool {
  readonly toolSpecification: {
    readonly name: string
    readonly description: string
    readonly inputSchema: { readonly json: unknown }
  }
}

/** A call in a turn of the assistant. */
export interface QToolUse {
  readonly toolUseId: string
  readonly name: string
  readonly input: unknown
}

/** A turn of the user. Tools and the model belong to the current one only. */
export interface QUserMessage {
  readonly content: string
  readonly userInputMessageContext?: {
    readonly toolResults?: readonly QToolResult[]
    readonly tools?: readonly QTool[]
  }
  readonly images?: readonly QImage[]
  readonly modelId?: string
}

/** A turn of the assistant. */
export interface QAssistantMessage {
  readonly content: string
  readonly toolUses?: readonly QToolUse[]
}

/** One entry of the history; the sides alternate, and the user begins. */
export type QEntry =
  | { readonly userInputMessage: QUserMessage }
  | { readonly assistantResponseMessage: QAssistantMessage }

/** The whole conversation: what was, and the turn that is to be answered. */
export interface QConversation {
  readonly history: readonly QEntry[]
  readonly currentMessage: { readonly userInputMessage: QUserMessage }
  readonly chatTriggerType: 'MANUAL'
  readonly conversationId?: string
}
