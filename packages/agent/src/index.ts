export type {
  AgentEnd,
  AgentEvent,
  AgentOptions,
  AgentResult,
  AgentTool,
  SendTurn,
  Timer,
  ToolCall,
  Turn,
} from './agent.ts'
export type { AnswerPart, CallPart, OtherPart, PartEvent, TextPart, ThinkingPart } from './answer-part.ts'
export { Conversation, type ConversationStart } from './conversation.ts'
export type { Iteration } from './iteration-messages.ts'
export type { Layout } from './layouts.ts'
export {
  type ExportedMessage,
  type KeptHistory,
  type KeptUnit,
  type OpenAIExport,
  withoutIterationIds,
} from './openai-export.ts'
export type { OpenAIImport } from './openai-import.ts'
export { PartsTracker, type TrackerOptions } from './parts-tracker.ts'
export { DEFAULT_MAX_ITERATIONS, runAgent } from './run-agent.ts'
export { errorResult, toolResult } from './tool-result.ts'
export type { CountTokens, Trim, Trimmed, TrimInput } from './trim.ts'
export { type TokenLimit, trimByTokens, trimByTurns, trimToolResults } from './trim-strategies.ts'
