import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { typeName } from '../../json/type-name.ts'

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

/** A value of another type than the format knows, with its place in the event. */
export class WireFault extends Error {
  override readonly name = 'WireFault'

  constructor(path: string, expected: string, got: string) {
    super(`expected ${path} to be ${expected}, got ${got}`)
  }
}

/** A JSON object, or `undefined` for null and missing values; anything else is a fault. */
export function objectAt(value: unknown, path: string): JsonObject | undefined {
  if (value === undefined || value === null) return undefined
  if (!isJsonObject(value)) throw new WireFault(path, 'an object', typeName(value))
  return value
}

/** A string, '' for null and missing values; anything else is a fault. */
export function textAt(value: unknown, path: string): string {
  return value === undefined || value === null ? '' : expectedText(value, path)
}

/** A string; anything else is a fault. */
export function expectedText(value: unknown, path: string): string {
  if (typeof value !== 'string') throw new WireFault(path, 'a string', typeName(value))
  return value
}
