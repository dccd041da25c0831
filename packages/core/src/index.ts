export type {
  BodyReader,
  ClientCall,
  ClientDialect,
  ClientIds,
  ClientReply,
  CountRequest,
  DecodeContext,
  DecodedRequest,
  Dialect,
  EncodedError,
  EncodedRequest,
  Endpoint,
  Memory,
  OwnEndpoint,
  ReplyContext,
  SharedEndpoint,
  StreamDecoder,
  StreamEncoder,
  StreamForm,
  Target,
  UpstreamDialect,
  UpstreamFailure,
} from './dialects/dialect.ts'
export { amazonQ } from './dialects/amazon-q/index.ts'
export { anthropic } from './dialects/anthropic/index.ts'
export { openaiChat } from './dialects/openai-chat/index.ts'
export { openaiResponses } from './dialects/openai-responses/index.ts'
export { type BuiltInDialect, type DialectName, DialectRegistry, registry } from './dialects/registry.ts'
export { type Caller, type Incoming, Router } from './dialects/router.ts'
export type { RoutedContent, RoutedMessage, RoutedParts } from './dialects/routed-parts.ts'
export { headerOf, type HeaderValues } from './http/headers.ts'
export { estimateTokens } from './stream/estimate-tokens.ts'
export { translateAnswer, type Translation } from './exchange/translation.ts'
export { plainCall } from './dialects/plain-call.ts'
export { plainReply } from './dialects/plain-reply.ts'

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
} from './conversation/agent.ts'
export type {
  AnswerPart,
  CallPart,
  OtherPart,
  PartEvent,
  TextPart,
  ThinkingPart,
} from './conversation/answer-part.ts'
export { Conversation, type ConversationStart } from './conversation/conversation.ts'
export type { Iteration } from './conversation/iteration-messages.ts'
export type { Layout } from './conversation/layouts.ts'
export {
  type ExportedMessage,
  type KeptHistory,
  type KeptUnit,
  type OpenAIExport,
  withoutIterationIds,
} from './conversation/openai-export.ts'
export type { OpenAIImport } from './conversation/openai-import.ts'
export { PartsTracker, type TrackerOptions } from './conversation/parts-tracker.ts'
export { DEFAULT_MAX_ITERATIONS, runAgent } from './conversation/run-agent.ts'
export { errorResult, toolResult } from './conversation/tool-result.ts'
export type { CountTokens, Trim, Trimmed, TrimInput } from './conversation/trim.ts'
export {
  type TokenLimit,
  trimByTokens,
  trimByTurns,
  trimToolResults,
} from './conversation/trim-strategies.ts'

export { KnownBytes, viewOf } from './bytes/known-bytes.ts'

export { type ErrorKind, HubError, type HubErrorDetails, invalidRequest, toHubError } from './hub/error.ts'
export { digest } from './identity/digest.ts'
export type {
  HubContentBlock,
  HubDelta,
  HubResponse,
  HubStop,
  HubStopReason,
  HubStreamEvent,
} from './hub/message.ts'
export { type Note, Notes } from './hub/note.ts'
export type {
  HubBlock,
  HubMessage,
  HubRequest,
  HubResultContent,
  HubTextBlock,
  HubTool,
  HubToolResult,
  HubToolUse,
} from './hub/request.ts'
export type { BlockHead, MessageHead, MessageSink } from './hub/sink.ts'
export { type HubUsage, usageOf } from './hub/usage.ts'

export {
  createLoopGuard,
  DEFAULT_LOOP_REPEATS,
  type LoopGuard,
  type LoopGuardOptions,
  type LoopMode,
  type LoopTrip,
} from './history/loop-guard.ts'
export type { LoopOptions } from './history/loop-options.ts'
export { loopReminder, loopStopWords } from './history/loop-words.ts'
export { loops, type LoopFinding, type LoopKind } from './history/loops.ts'
export { type HistoryNeeds, repair } from './history/repair.ts'
export { type Finding, type FindingCode, validate } from './history/validate.ts'

export { deepFreeze } from './json/deep-freeze.ts'
export { LongTexts } from './json/long-texts.ts'
export { parseJson } from './json/parse-json.ts'

export { type ProfileName, profiles } from './profiles/presets.ts'
export {
  type Effort,
  type ModelRule,
  type Profile,
  profileFor,
  type ReasoningControl,
  type SchemaRule,
} from './profiles/profile.ts'

export { type AnswerOptions, AnswerReader, type AnswerState } from './stream/answer-reader.ts'
export { type AnswerSummary, BlockWriter, type BlockWriterOptions } from './stream/block-writer.ts'
export { Collector } from './stream/collect.ts'
export {
  type AnswerCollector,
  collectAnswer,
  type StreamTranslator,
  translateStream,
  type TranslatorOptions,
} from './stream/translate.ts'
export { unfold } from './stream/unfold.ts'

export { type ConversionTrace, traceConversion } from './trace/conversion-trace.ts'
export type { MessageOutline } from './trace/outline.ts'
