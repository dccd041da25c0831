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
export { checkMessage as checkChatMessage } from './dialects/openai-chat/check-message.ts'
export { decodeMessages as decodeChatMessages } from './dialects/openai-chat/decode-messages.ts'
export { encodeKeptMessage as encodeKeptChatMessage } from './dialects/openai-chat/encode-kept-message.ts'
export { openaiChat } from './dialects/openai-chat/index.ts'
export type { ChatMessage } from './dialects/openai-chat/wire.ts'
export { openaiResponses } from './dialects/openai-responses/index.ts'
export { type BuiltInDialect, type DialectName, DialectRegistry, registry } from './dialects/registry.ts'
export { type Caller, type Incoming, Router } from './dialects/router.ts'
export type { RoutedContent, RoutedMessage, RoutedParts } from './dialects/routed-parts.ts'
export { headerOf, type HeaderValues } from './http/headers.ts'
export { estimateTokens } from './stream/estimate-tokens.ts'
export { translateAnswer, type Translation } from './exchange/translation.ts'
export { plainCall } from './dialects/plain-call.ts'
export { plainReply } from './dialects/plain-reply.ts'

export { KnownBytes, viewOf } from './bytes/known-bytes.ts'

export { blankBlock } from './hub/blank.ts'
export { type ErrorKind, HubError, type HubErrorDetails, invalidRequest, toHubError } from './hub/error.ts'
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
export { hasUsersWords } from './history/loop-steps.ts'
export { loopReminder, loopStopWords } from './history/loop-words.ts'
export { loops, type LoopFinding, type LoopKind } from './history/loops.ts'
export { type HistoryNeeds, repair } from './history/repair.ts'
export { type Finding, type FindingCode, validate } from './history/validate.ts'

export { deepFreeze } from './json/deep-freeze.ts'
export { isJsonObject } from './json/json-object.ts'
export { LongTexts } from './json/long-texts.ts'
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

export { type AnswerOptions, AnswerReader, type AnswerState } from './stream/answer-reader.ts'
export { type AnswerSummary, BlockWriter, type BlockWriterOptions } from './stream/block-writer.ts'
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
