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

/** How this dialect is called. */
export const NAME = 'openai-chat'

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
