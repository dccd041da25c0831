export type * from './format/lines.ts'
export { TAPE_FILE, TAPE_VERSION } from './format/lines.ts'
export { TapeError, type TapeFault } from './format/tape-error.ts'
export type * from './format/tape.ts'

export { profileOf } from './read/profile-of.ts'
export { readTape } from './read/read-tape.ts'
export { scanTape, scanText, type SecretFinding } from './read/scan-tape.ts'
export { verifyTape } from './read/verify-tape.ts'

export { type MarkKind, withoutMarkNumbers } from './redact/marks.ts'
export {
  createRedaction,
  defaultRedaction,
  type Redaction,
  type RedactionOptions,
  type TapeRedaction,
} from './redact/redaction.ts'

export { type ByteLeg, ExchangeWriter, type WrittenRequest } from './write/exchange-writer.ts'
export { createTape, type NewTape } from './write/create-tape.ts'
export type { RecordPolicy } from './write/record-policy.ts'
export { type OldTape, reopenTape } from './write/reopen-tape.ts'
export { createTapeRecorder, type TapeRecorderOptions } from './write/tape-recorder.ts'
export { type LineParts, TapeWriter } from './write/tape-writer.ts'
export type { ExchangeRecorder, RequestHead, TapedClient, TrafficRecorder } from './write/traffic.ts'

export { askedEndpoint, type AskedEndpoint } from './match/asked-endpoint.ts'
export type { WireRequest } from './match/canonical-request.ts'
export type { Matchable } from './match/entry.ts'
export type { Miss } from './match/explain-miss.ts'
export { firstDifference, type FirstDifference } from './match/first-difference.ts'
export { type Match, type MatchedBy, Matcher, type MatchOptions, type Workspace } from './match/matcher.ts'
export { dates, ids, type Normalize, type NormalizeRule, temporaryPaths } from './match/normalize.ts'
export { withoutReminders } from './match/reminders.ts'
export { shortenPair, shortenValue, type ShownPair } from './match/shorten.ts'

export { Answers, type AnswersOptions, missFor } from './play/answers.ts'
export { type PlayedTape, playTape, type PlayOptions } from './play/play-tape.ts'
export type { AnsweredRequest, MissedRequest, PlayedRequest } from './play/played-request.ts'
export type { PlayerOptions } from './play/player.ts'
export { rechunk, type Rechunk } from './play/rechunk.ts'
export { type Ending, type PlayedLeg, type Recording, recordingsOf } from './play/recording.ts'
export { refusalOf } from './play/refusal.ts'
export { webAnswer } from './play/web-answer.ts'

export { TapeDraft, type TapeDraftOptions } from './test/tape-draft.ts'
export { recordRequest } from './test/record-request.ts'
export { type ServedFetch, serveFetch } from './test/serve-fetch.ts'

export { bodyEndingOf } from './replay/body-ending.ts'
export { callerOf, pathOf, queryOf, uniquePart } from './replay/caller.ts'
export { eventsBeforeFailure, failureInAnswer } from './replay/failure-in-answer.ts'
export { type BodyEnding, playAnswer, type PlayedAnswer } from './replay/play-answer.ts'
export { FRESH_NAME, prepareCall, type PreparedCall } from './replay/prepare-call.ts'
export {
  decodeBody,
  type DecodedBody,
  messageIdOf,
  type NotReplayed,
  refusedBy,
  type Replay,
  type ReplayedAnswer,
  replayExchange,
} from './replay/replay-exchange.ts'
export { TapeMemory } from './replay/tape-memory.ts'
