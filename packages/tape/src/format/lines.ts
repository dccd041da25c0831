import type { Cost, DialectName, HubUsage, Note } from '@hydra/core'

/** The version of the format that this package writes. */
export const TAPE_VERSION = 1

/** The name of the file inside a tape's folder that holds its lines. */
export const TAPE_FILE = 'tape.jsonl'

/** The first line of a tape. */
export interface TapeHeader {
  readonly tape: typeof TAPE_VERSION
  /** What wrote it, such as `hydra/0.1.0`. */
  readonly tool: string
  /** When the recording began, as an ISO 8601 time in UTC. */
  readonly started: string
  /** The client as it names itself, such as `claude-cli/2.1.325`. */
  readonly client?: string
  /** The client's own name of its session. */
  readonly session?: string
  /** The folder that the recorded program worked in, if that is known. */
  readonly workspace?: string
  /** The name of the rules by which secrets were replaced. */
  readonly redaction: string
  /** Where an imported tape comes from, and what that source did not keep. */
  readonly imported?: { readonly from: string; readonly lacks: readonly string[] }
}

/** Client to proxy, proxy to upstream, upstream to proxy, proxy to client; '' for what concerns no leg. */
export type Leg = 'c>' | '>u' | 'u>' | '>c' | ''

/** Bytes: text if they are UTF-8 by themselves, base64 otherwise, or a list of pieces, some of them in files of their own. */
export type TapedBytes = string | { readonly base64: string } | readonly TapedPiece[]

/** What stands in the gaps of a frame, in their order; `text` where there is one gap. */
export type GapTexts =
  | { readonly text: string; readonly texts?: undefined }
  | { readonly texts: readonly string[]; readonly text?: undefined }

/**
 * How the text of a chunk is written that is like an earlier one of its leg but for a few parts: what is around these
 * parts, one text more than there are parts, and the parts; or the number of the line with that frame, and the parts.
 */
export type FramedText = GapTexts &
  (
    | { readonly frame: readonly string[]; readonly like?: undefined }
    | { readonly like: number; readonly frame?: undefined }
  )

/** A piece of a body: text, base64, or the name (SHA-256 in hex) of a file in `blobs/`. */
export type TapedPiece = string | { readonly base64: string } | { readonly blob: string }

/** Headers as they were recorded: lower-case names, only those of the allowlist. */
export type TapedHeaders = Readonly<Record<string, string>>

/** How an upstream was called: what a replay needs to translate in the same way. */
export interface Via {
  /** The upstream's name in the configuration. */
  readonly upstream: string
  readonly dialect: DialectName
  /** The request went through unchanged, and so did its answer. */
  readonly passthrough?: boolean
  /** The answer went through as it was, and the request but for what the target needs. */
  readonly relayed?: boolean
  /** The model that was called. */
  readonly model?: string
  /** The model name that the client sees. */
  readonly toldModel?: string
  /** The name of the profile, and what differs from the preset of that name. */
  readonly profile?: string
  readonly overrides?: Readonly<Record<string, unknown>>
  /** The id of the message that was sent to the client. */
  readonly messageId?: string
}

/** What the lines of each type say. */
export interface TapeData {
  /**
   * `c>` or `>u`: a request, whole. A further `>u` request is a retry or a fallback. `via` on `>u` only, and `dialect`,
   * the one that the client speaks, on `c>` only: tapes from before there was more than one do not have it.
   */
  req: {
    readonly method: string
    readonly path: string
    readonly headers: TapedHeaders
    readonly body?: TapedBytes
    readonly dialect?: DialectName
    readonly via?: Via
  }
  /** `u>` or `>c`: the head of an answer. */
  res: { readonly status: number; readonly headers: TapedHeaders }
  /** `u>` or `>c`: a piece of an answer's body, exactly as it was read or written. */
  d: TapedBytes
  /** On a leg: its body ended in the way its protocol ends. On no leg: the exchange is over. */
  end: null | ExchangeEnd
  /** The exchange was given up: by which side, and why. */
  abort: { readonly by: 'client' | 'upstream' | 'proxy'; readonly reason?: string }
  timeout: { readonly reason: string }
  retry: { readonly reason: string; readonly pause: number }
  note: Note
  usage: HubUsage
  /** A remark of the person who records. */
  mark: { readonly text: string }
}

/** A line of a chunk whose text is written in the shorter way; a reader makes a `TapeLine` of it. */
export type FramedLine = readonly [number, number, number, Leg, 'd', FramedText]

/** The last line of an exchange. */
export interface ExchangeEnd {
  readonly outcome: 'answered' | 'failed' | 'aborted'
  /** What the exchange cost at list price, or why that is not known; only where prices were known when it was recorded. */
  readonly cost?: Cost
  /** The SHA-256 (hex) of all bytes of a leg as they are on the tape; a leg without bytes has none. */
  readonly hashes: Readonly<Partial<Record<Exclude<Leg, ''>, string>>>
}

/** The types of lines. */
export type LineType = keyof TapeData

/**
 * A line after the first: a number that counts the lines from 1, the microseconds since the line before (since the
 * start for the first), the number of the exchange from 1, the leg, the type and what it says.
 */
export type TapeLine = {
  [Type in LineType]: readonly [number, number, number, Leg, Type, TapeData[Type]]
}[LineType]
