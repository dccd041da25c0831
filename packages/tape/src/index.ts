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
export { createTape, type NewTape, type OldTape, reopenTape } from './write/open-tape.ts'
export { createTapeRecorder, type TapeRecorder, type TapeRecorderOptions } from './write/tape-recorder.ts'
export { type LineParts, TapeWriter } from './write/tape-writer.ts'
export type { ExchangeRecorder, RequestHead, TapedClient } from './write/traffic.ts'

export type { WireRequest } from './match/canonical-request.ts'
export type { Matchable } from './match/entry.ts'
export type { Miss } from './match/explain-miss.ts'
export { firstDifference, type FirstDifference, isRecord } from './match/first-difference.ts'
export { type Match, type MatchedBy, Matcher, type MatchOptions } from './match/matcher.ts'
export { shortenPair, shortenValue, type ShownPair } from './match/shorten.ts'

export { type PlayedTape, playTape, type PlayOptions } from './play/play-tape.ts'
export type { AnsweredRequest, MissedRequest, PlayedRequest } from './play/played-request.ts'
export type { PlayerOptions } from './play/player.ts'
export { rechunk, type Rechunk } from './play/rechunk.ts'
export { type Ending, type PlayedLeg, type Recording, recordingsOf } from './play/recording.ts'
export { splitEvents } from './play/split-events.ts'
