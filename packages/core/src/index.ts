export type {
  ClientDialect,
  DecodeContext,
  DecodedRequest,
  Dialect,
  EncodedError,
  EncodedRequest,
  ReplyContext,
  StreamDecoder,
  StreamEncoder,
  Target,
  UpstreamDialect,
  UpstreamFailure,
} from './dialects/dialect.ts'
export { anthropic } from './dialects/anthropic/index.ts'
export { type DecodedCountRequest, decodeCountRequest } from './dialects/anthropic/decode-request.ts'
export { openaiChat } from './dialects/openai-chat/index.ts'
export { plainReply } from './dialects/plain-reply.ts'

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

export { loops, type LoopFinding, type LoopKind, type LoopOptions } from './history/loops.ts'
export { type HistoryNeeds, repair } from './history/repair.ts'
export { type Finding, type FindingCode, validate } from './history/validate.ts'

export { deepFreeze } from './json/deep-freeze.ts'
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
