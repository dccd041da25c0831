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
  RelayedRequest,
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
export { gemini } from './dialects/gemini/index.ts'
export { checkMessage as checkChatMessage } from './dialects/openai-chat/check-message.ts'
export { decodeMessages as decodeChatMessages } from './dialects/openai-chat/decode-messages.ts'
export { encodeKeptMessage as encodeKeptChatMessage } from './dialects/openai-chat/encode-kept-message.ts'
export { openaiChat } from './dialects/openai-chat/index.ts'
export type { ChatMessage } from './dialects/openai-chat/wire.ts'
export { openaiResponses } from './dialects/openai-responses/index.ts'
export { type BuiltInDialect, type DialectName, DialectRegistry, registry } from './dialects/registry.ts'
export { type Caller, type Incoming, Router } from './dialects/router.ts'
export type { RepeatedPlaces, TextPlace } from './dialects/repeated-places.ts'
export type { RoutedContent, RoutedMessage, RoutedParts } from './dialects/routed-parts.ts'
export { claudeCodeMarks } from './clients/claude-code.ts'
export type { StartUpCall } from './clients/client-habits.ts'
export {
  isReminder,
  isSubagent,
  sessionOfHeaders,
  startUpCalls,
  subagentOfHeaders,
} from './clients/habits.ts'
export { headerOf, type HeaderValues } from './http/headers.ts'
export { isQueryKey, withoutQueryKeys } from './http/query-keys.ts'
export { estimateTokens } from './stream/estimate-tokens.ts'
export { ByteQueue } from './exchange/byte-queue.ts'
export { failedStream, failsInStream } from './exchange/failed-stream.ts'
export { type AnswerStart, type CallPlan, planCall, type PlannedCall } from './exchange/planned-call.ts'
export {
  type AnswerHead,
  isEncoded,
  isReadableError,
  MAX_ERROR_TEXT,
  refusedAnswer,
} from './exchange/refused-answer.ts'
export { relayAnswer, type RelayOptions } from './exchange/relay.ts'
export { translateAnswer, type Translation } from './exchange/translation.ts'
export { plainCall } from './dialects/plain-call.ts'
export { plainReply } from './dialects/plain-reply.ts'

export { asText } from './sse/as-text.ts'
export { type ParsedStream, parseEvents, type ServerSentEvent } from './sse/parse-events.ts'
export { splitEvents } from './sse/split-events.ts'
export { KnownBytes, viewOf } from './fast-text/known-bytes.ts'
export { SILENT_SINK } from './fast-text/silent-sink.ts'

export { blankBlock } from './hub/blank.ts'
export {
  type ErrorKind,
  type Hide,
  HubError,
  type HubErrorDetails,
  invalidRequest,
  type OverflowCounts,
  toHubError,
} from './hub/error.ts'
export { withoutSecrets } from './errors/upstream-words.ts'
export { digest } from './identity/digest.ts'
export {
  type HubContentBlock,
  type HubDelta,
  type HubResponse,
  type HubStop,
  type HubStopReason,
  type HubStreamEvent,
  stopFor,
} from './hub/message.ts'
export type { LimitLevel, LimitState } from './hub/limit-state.ts'
export { type Note, Notes } from './hub/note.ts'
export {
  blocksOf,
  type HubBlock,
  type HubMessage,
  type HubRequest,
  type HubResultContent,
  type HubTextBlock,
  type HubTool,
  type HubToolResult,
  type HubToolUse,
} from './hub/request.ts'
export type { BlockHead, MessageHead, MessageSink } from './hub/sink.ts'
export type { Cost, PricedCall, Prices } from './hub/cost.ts'
export { type HubUsage, usageOf, totalUsage } from './hub/usage.ts'

export {
  createLoopGuard,
  DEFAULT_LOOP_REPEATS,
  type LoopGuard,
  type LoopGuardOptions,
  type LoopMode,
  type LoopTrip,
} from './history/loop-guard.ts'
export type { LoopOptions } from './history/loop-options.ts'
export { hasUsersWords } from './history/loop-steps.ts'
export { loopReminder, loopStopWords } from './history/loop-words.ts'
export { loops, type LoopFinding, type LoopKind } from './history/loops.ts'
export { type HistoryNeeds, repair } from './history/repair.ts'
export { type Finding, type FindingCode, validate } from './history/validate.ts'

export { isLasting, markLasting } from './memo/lasting.ts'
export { Memo } from './memo/memo.ts'
export { canonicalJson } from './history/canonical-json.ts'
export { isJsonObject } from './json/json-object.ts'
export { LongTexts } from './memo/long-texts.ts'
export { nestsTooDeep } from './json/measure.ts'
export { parseJson } from './json/parse-json.ts'

export type { AnthropicProfile } from './dialects/anthropic/profile.ts'
export type { ChatProfile } from './dialects/openai-chat/profile.ts'
export type { QProfile } from './dialects/amazon-q/profile.ts'
export { dialectFor, type Provider, spokenBy, type SpokenDialect } from './providers/provider.ts'
export {
  type ProfileName,
  profiles,
  providerNamed,
  type ProviderName,
  providers,
} from './providers/providers.ts'
export {
  completeProfile,
  type Effort,
  type KeyHeader,
  type ModelRule,
  type Profile,
  profileFor,
  type ReasoningControl,
  type SchemaRule,
} from './profiles/profile.ts'
export { matchesPattern } from './profiles/matches-pattern.ts'

export {
  BEARER_WORD,
  JSON_WEB_TOKEN,
  keyPattern,
  SECRET_SHAPES,
  type SecretShape,
} from './secrets/secret-shapes.ts'

export { type AnswerOptions, AnswerReader, type AnswerState } from './stream/answer-reader.ts'
export {
  type AnsweredBy,
  type AnswerSummary,
  BlockWriter,
  type BlockWriterOptions,
} from './stream/block-writer.ts'
export { BlockCollector, type CollectedBlock } from './stream/block-collector.ts'
export { Collector, fillBlock } from './stream/collect.ts'
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
