import { canonicalRequest, type CanonicalRequest, type WireRequest } from './canonical-request.ts'
import type { Conversation, Thread } from './conversation.ts'
import { differenceOf } from './difference-of.ts'
import type { Entry, Matchable, OtherLeg } from './entry.ts'
import { explainMiss, type Miss } from './explain-miss.ts'
import type { FirstDifference } from './first-difference.ts'
import { folderRule, type Normalize, type NormalizeRule } from './normalize.ts'
import { withoutNumbers } from './parse-body.ts'

/** What an answer was found by, from the strongest to the weakest. */
export type MatchedBy = 'request' | 'conversation' | 'order'

/** The recording that answers a request. */
export interface Match<Recording extends Matchable> {
  readonly recording: Recording
  readonly by: MatchedBy
  /** What was not as recorded; undefined for a match by the request itself. */
  readonly difference: FirstDifference | undefined
}

/** How requests are matched. */
export interface MatchOptions {
  /**
   * The weakest thing a match may rest on, `conversation` by default. By mere order any request is answered,
   * also one that has nothing to do with the recording, so that is only done for those who ask for it.
   */
  readonly matchBy?: MatchedBy
  /** A recording is used again when no fresh one is left. */
  readonly loop?: boolean
  /**
   * Takes the secrets out of a body, by the rules by which those of the tape were taken out. Recorded bodies go
   * through it as well: what is a secret here may have been none where the tape was recorded.
   */
  readonly redact?: (body: Uint8Array) => Uint8Array
  /** Replaces what changes from run to run, such as dates, in all texts of both sides. */
  readonly normalize?: Normalize
  /** The folder that a program works in, by its name on the tape and by its name now; both are the same to a match. */
  readonly workspace?: Workspace
}

/** The folder that a program works in. */
export interface Workspace {
  readonly recorded: string
  readonly current: string
}

/** What is searched. */
export interface Searched<Recording extends Matchable> {
  readonly recordings: readonly Recording[]
  /** Only to say so when a request should have gone there. */
  readonly otherLeg?: OtherLeg
}

/** Finds recordings for requests, each of them once. */
export class Matcher<Recording extends Matchable> {
  readonly #entries: readonly Entry<Recording>[]
  readonly #options: MatchOptions
  readonly #otherLeg: OtherLeg | undefined
  /** Where a conversation went on although it was not the recorded one. */
  readonly #aliases = new Map<string, string>()

  constructor({ recordings, otherLeg }: Searched<Recording>, options: MatchOptions = {}) {
    this.#options = options
    this.#otherLeg = otherLeg
    this.#entries = recordings.map((recording) => ({
      recording,
      canonical: canonicalRequest(this.#redacted(recording.request), { normalize: this.#rules('recorded') }),
      uses: 0,
    }))
  }

  /** What was not asked for yet. */
  get unused(): readonly Recording[] {
    return this.#entries.filter(({ uses }) => uses === 0).map(({ recording }) => recording)
  }

  /** What the answer to a request would be found by, without using it up; undefined if there is none. */
  matchedBy(incoming: WireRequest): MatchedBy | undefined {
    return this.#search(this.#canonical(incoming))?.by
  }

  /** Finds the recording that answers a request, or says why there is none. */
  find(incoming: WireRequest): Match<Recording> | Miss {
    const request = this.#canonical(incoming)
    const found = this.#search(request)
    if (found === undefined) {
      return explainMiss({ incoming, request, entries: this.#entries, otherLeg: this.#otherLeg })
    }
    found.entry.uses += 1
    this.#follow(request, found.entry.canonical)
    const { entry, by } = found
    const difference = by === 'request' ? undefined : differenceOf(entry.canonical, request)
    return { recording: entry.recording, by, difference }
  }

  #canonical(incoming: WireRequest): CanonicalRequest {
    const rules = { aliases: this.#aliases, normalize: this.#rules('current') }
    return canonicalRequest(this.#redacted(incoming), rules)
  }

  #redacted(request: WireRequest): WireRequest {
    const { redact = (body) => body } = this.#options
    return { method: request.method, path: request.path, body: redact(request.body) }
  }

  #rules(side: keyof Workspace): readonly NormalizeRule[] {
    const { normalize = [], workspace } = this.#options
    const own = [normalize].flat()
    return workspace === undefined ? own : [folderRule(withoutNumbers(workspace[side])), ...own]
  }

  #search(request: CanonicalRequest): { entry: Entry<Recording>; by: MatchedBy } | undefined {
    const { matchBy = 'conversation' } = this.#options
    const exact = this.#next(({ key }) => key === request.key)
    if (exact !== undefined) return { entry: exact, by: 'request' }
    if (matchBy === 'request') return undefined
    const placed = this.#nextIn(request, hasSameTurns) ?? this.#nextIn(request, hasSamePlace)
    if (placed !== undefined) return { entry: placed, by: 'conversation' }
    if (matchBy === 'conversation') return undefined
    const next = this.#next((recorded) => isSameRoute(recorded, request))
    return next && { entry: next, by: 'order' }
  }

  /** By all that was said, or else by what was said beside the reminders of the client. */
  #nextIn(
    request: CanonicalRequest,
    fits: (recorded: Thread, came: Thread) => boolean,
  ): Entry<Recording> | undefined {
    const { conversation: came } = request
    if (came === undefined) return undefined
    const nextBy = (kind: keyof Conversation): Entry<Recording> | undefined =>
      this.#next((recorded) => {
        const thread = recorded.conversation?.[kind]
        return thread !== undefined && isSameCall(recorded, request) && fits(thread, came[kind])
      })
    return nextBy('full') ?? nextBy('spoken')
  }

  /** The one of those that fit that was used least, in the order of the tape. */
  #next(fits: (recorded: CanonicalRequest) => boolean): Entry<Recording> | undefined {
    const fitting = this.#entries.filter((entry) => this.#isFree(entry) && fits(entry.canonical))
    const least = Math.min(...fitting.map(({ uses }) => uses))
    return fitting.find(({ uses }) => uses === least)
  }

  #isFree({ uses }: Entry): boolean {
    return uses === 0 || this.#options.loop === true
  }

  #follow({ conversation: came }: CanonicalRequest, { conversation: recorded }: CanonicalRequest): void {
    if (came === undefined || recorded === undefined) return
    this.#goOnAs(came.spoken, recorded.spoken)
    this.#goOnAs(came.full, recorded.full)
  }

  #goOnAs(came: Thread, recorded: Thread): void {
    if (came.whole !== recorded.whole) this.#aliases.set(came.whole, recorded.whole)
  }
}

/** A client that waits for a stream cannot read anything else, and the other way round. */
function isSameRoute(one: CanonicalRequest, other: CanonicalRequest): boolean {
  return one.route === other.route && one.wantsStream === other.wantsStream
}

function isSameCall(one: CanonicalRequest, other: CanonicalRequest): boolean {
  return isSameRoute(one, other) && one.model === other.model && one.query === other.query
}

function hasSameTurns(recorded: Thread, came: Thread): boolean {
  return recorded.whole === came.whole
}

/** What the model has said so far is the same; what came back since, such as the output of a tool, is not. */
function hasSamePlace(recorded: Thread, came: Thread): boolean {
  return recorded.answered !== undefined && recorded.answered === came.answered
}
