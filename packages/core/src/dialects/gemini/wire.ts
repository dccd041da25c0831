import type {
  Content,
  FinishReason,
  FunctionDeclaration,
  FunctionResponsePart,
  GenerateContentResponseUsageMetadata,
  Part,
  ThinkingLevel,
} from '@google/genai'

/** The name of the dialect. */
export const NAME = 'gemini'

/** One turn of a request. */
export type GeminiContent = Content

/** One part of a turn or of an answer. */
export type GeminiPart = Part

/** Media inside of a function response. */
export type GeminiResponsePart = FunctionResponsePart

/** A function that the model may call. */
export type GeminiFunction = FunctionDeclaration

/** Why an answer ends, by Google's names. */
export type GeminiFinish = `${FinishReason}`

/** How hard a model thinks, by Google's names. */
export type GeminiLevel = Exclude<`${ThinkingLevel}`, 'THINKING_LEVEL_UNSPECIFIED'>

/** What an answer cost. */
export type GeminiUsage = GenerateContentResponseUsageMetadata
