import type { Note } from '@hydra/core'
import type { TapeHeader, TapeProblem, Via } from '@hydra/tape'

/** The summary of a recorded session: plain data, for the terminal, for `--json` and for the page. */
export interface SessionSummary {
  /** The name of the tape's folder. */
  readonly name: string
  readonly header: TapeHeader
  /** From the start to the last line, in microseconds. */
  readonly duration: number
  readonly exchanges: readonly ExchangeSummary[]
  readonly problems: readonly TapeProblem[]
}

/** One request and what came of it. */
export interface ExchangeSummary {
  readonly number: number
  /** When it began, in microseconds since the start of the tape. */
  readonly at: number
  readonly request: RequestSummary | undefined
  readonly calls: readonly CallSummary[]
  /** What was answered; absent if nothing was. */
  readonly answer: AnswerSummary | undefined
  /** The status that the client got; absent if it got none. */
  readonly status: number | undefined
  readonly notes: readonly Note[]
  readonly tokens: Tokens | undefined
  readonly times: Times
  readonly ending: Ending
  /** Notes that the person who recorded added. */
  readonly marks: readonly string[]
}

/** What a request says, and what of it is new. */
export interface RequestSummary {
  readonly method: string
  readonly path: string
  readonly model: string | undefined
  readonly tools: number
  /** How many messages the request holds. */
  readonly messages: number
  /** The exchange whose conversation goes on here. */
  readonly continues: Continued | undefined
  /** What else differs from that exchange, such as the tools. */
  readonly changed: readonly string[]
  /** The system prompt, where it is not the one of the exchange that goes on here. */
  readonly system: readonly string[]
  readonly fresh: readonly Utterance[]
  /** Why the request cannot be understood, in part or at all. */
  readonly trouble: string | undefined
}

/** What a request has in common with an earlier one. */
export interface Continued {
  readonly exchange: number
  /** How many messages are as they were there. */
  readonly messages: number
  /** A turn of the assistant follows them, which is not repeated here. */
  readonly thenAssistant: boolean
}

/** One thing that a side said or did. */
export interface Utterance {
  readonly who: string
  readonly kind: 'text' | 'thinking' | 'call' | 'result' | 'other'
  /** The tool, for calls and results. */
  readonly name?: string
  readonly text: string
  /** A result that reports a failure. */
  readonly failed?: boolean
  /** It was cut off before its end. */
  readonly cut?: boolean
  /** The id that a call and its result share. */
  readonly id?: string
  /** The client wrote it, and not a person. */
  readonly reminder?: boolean
  /** A picture that is sent along as it is. */
  readonly image?: { readonly type: string; readonly base64: string }
}

/** One call of an upstream. */
export interface CallSummary {
  readonly via: Via | undefined
  readonly path: string
  readonly status: number | undefined
  readonly ended: 'clean' | 'aborted' | 'timeout' | 'open'
  /** What the upstream said went wrong. */
  readonly failure: string | undefined
  /** The label of the key, where the upstream has several and it is known. */
  readonly key?: string | undefined
  /** How long it took, in microseconds: to the last that came of its answer, or until it was given up. */
  readonly took?: number | undefined
  /** Why another call followed, if one did and the tape says so. */
  readonly retry: { readonly reason: string; readonly pause: number } | undefined
}

/** What the model answered. */
export interface AnswerSummary {
  readonly utterances: readonly Utterance[]
  readonly stopReason: string | undefined
  /** The answer came to its own end; anything else must not look whole. */
  readonly whole: boolean
  readonly failure: string | undefined
  /** Whose bytes this was read from. */
  readonly from: 'upstream' | 'client'
}

/** The tokens of an exchange; what was not counted, or not with a number, is undefined. */
export interface Tokens {
  /** Without what was read from or written to a cache. */
  readonly input: number | undefined
  readonly fromCache: number | undefined
  readonly toCache: number | undefined
  readonly output: number | undefined
  /** The part of the output that is reasoning. */
  readonly reasoning?: number | undefined
}

/** Where the time went; all in microseconds since the start of the tape. */
export interface Times {
  readonly begun: number
  readonly called: number | undefined
  readonly head: number | undefined
  readonly firstToken: number | undefined
  readonly lastChunk: number | undefined
  readonly over: number
  /** Silences of more than a second between two chunks of the answer. */
  readonly gaps: readonly Gap[]
  readonly upstream: LegSize
  readonly client: LegSize
}

/** A silence: when it began, and how long it was. */
export interface Gap {
  readonly at: number
  readonly length: number
}

/** How much came over a leg. */
export interface LegSize {
  readonly chunks: number
  readonly bytes: number
}

/** How an exchange ended, as one word and in words. */
export interface Ending {
  readonly kind: 'clean' | 'error' | 'aborted' | 'interrupted'
  readonly words: string
}
