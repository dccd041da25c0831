import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionContentPart,
  ChatCompletionFunctionTool,
  ChatCompletionMessage,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
  ChatCompletionMessageToolCall,
} from 'openai/resources/chat/completions'
import type { CompletionUsage } from 'openai/resources/completions'

/** One message of a request. */
export type ChatMessage = ChatCompletionMessageParam

/** One part of a user message. */
export type ChatPart = ChatCompletionContentPart

/** A function that the model may call. */
export type ChatTool = ChatCompletionFunctionTool

/** A call in an assistant message of a request. */
export type ChatToolCall = ChatCompletionMessageFunctionToolCall

/** A whole answer, as we send it. */
export type ChatAnswer = Omit<ChatCompletion, 'choices'> & { choices: ChatChoice[] }

/** The one choice of an answer. */
export type ChatChoice = Omit<ChatCompletion.Choice, 'message'> & { message: AnswerMessage }

/** The message of an answer; thinking has no field in OpenAI's types, but a customary one. */
export type AnswerMessage = ChatCompletionMessage & {
  reasoning_content?: string
  reasoning_details?: ReasoningDetail[]
}

/** A call in an answer. */
export type AnswerCall = ChatCompletionMessageToolCall

/** Something about the reasoning that a client gives back untouched, in OpenRouter's form. */
export interface ReasoningDetail {
  readonly type: 'reasoning.encrypted'
  /** The call that it belongs to. */
  readonly id: string
  readonly data: string
  readonly format: string
  readonly index: number
}

/** Why an answer ended. */
export type FinishReason = NonNullable<ChatCompletionChunk.Choice['finish_reason']>

/** What an answer cost. */
export type ChatUsage = CompletionUsage

/**
 * A chunk of a stream as providers really send it: any field may be missing, null or of another type
 * than OpenAI documents, so everything is `unknown` until it was looked at.
 */
export type WireObject = Readonly<Record<string, unknown>>

/** A value of a type that no provider may send, with its place in the chunk. */
export class WireFault extends Error {
  override readonly name = 'WireFault'

  constructor(path: string, expected: string, value: unknown) {
    super(`expected ${path} to be ${expected}, got ${typeNameOf(value)}`)
  }
}

/** A JSON object, or `undefined` for null and missing values; anything else is a fault. */
export function objectAt(value: unknown, path: string): WireObject | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object' || Array.isArray(value)) throw new WireFault(path, 'an object', value)
  return value as WireObject
}

/** The elements of an array, none for null and missing values; anything else is a fault. */
export function arrayAt(value: unknown, path: string): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new WireFault(path, 'an array', value)
  return value
}

/** A string, '' for null and missing values; anything else is a fault. */
export function textAt(value: unknown, path: string): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw new WireFault(path, 'a string', value)
  return value
}

function typeNameOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : typeof value
}
