import { Buffer } from 'node:buffer'
import type { Tape, TapeProblem } from '../format/tape.ts'
import { routeOf, type WireRequest } from '../match/canonical-request.ts'
import type { OtherLeg } from '../match/entry.ts'
import type { Miss } from '../match/explain-miss.ts'
import { type MatchedBy, Matcher, type MatchOptions, type Workspace } from '../match/matcher.ts'
import { readTape } from '../read/read-tape.ts'
import { localRedaction } from './local-redaction.ts'
import { notConsumed } from './not-consumed.ts'
import type { PlayedRequest } from './played-request.ts'
import { type PlayedLeg, type Recording, recordingsOf } from './recording.ts'
import { rewriteAnswer } from './rewrite-answer.ts'

/** The shortest name of a folder that is taken for a workspace. */
const MIN_WORKSPACE = 4

/** How the answers of a tape are found. */
export interface AnswersOptions extends MatchOptions {
  /** Who is played: the upstreams (the default), or the proxy as its clients saw it. */
  readonly leg?: PlayedLeg
  /** The folder that the program works in now, if it is another one than that of this process. */
  readonly folder?: string
  /** Hears of each request as soon as it is known what answers it. */
  readonly onRequest?: (request: PlayedRequest) => void
}

/** The answers of one leg of a tape, whatever they are sent over, and what was asked for so far. */
export class Answers {
  readonly requests: PlayedRequest[] = []
  readonly recordings: readonly Recording[]
  readonly #tape: Tape
  readonly #matcher: Matcher<Recording>
  readonly #onRequest: AnswersOptions['onRequest']

  constructor(tape: string | Tape, options: AnswersOptions) {
    const { leg = 'upstream', onRequest } = options
    this.#tape = typeof tape === 'string' ? readTape(tape) : tape
    const redact = options.redact ?? localRedaction()
    const workspace = options.workspace ?? workspaceOf(this.#tape, options.folder)
    this.recordings = recordingsOf(this.#tape, leg).map((recording) => inWorkspace(recording, workspace))
    this.#onRequest = onRequest
    const searched = { recordings: this.recordings, otherLeg: otherLegOf(this.#tape, leg) }
    this.#matcher = new Matcher(searched, {
      ...options,
      redact,
      ...(workspace && { workspace: { ...workspace, current: redactedText(workspace.current, redact) } }),
    })
  }

  get folder(): string {
    return this.#tape.folder
  }

  get problems(): readonly TapeProblem[] {
    return this.#tape.problems
  }

  get misses(): readonly Miss[] {
    return this.requests.map(({ miss }) => miss).filter((miss) => miss !== undefined)
  }

  get unconsumed(): readonly Recording[] {
    return this.#matcher.unused
  }

  /** What the answer to a request would be found by, without using it up; undefined if there is none. */
  matchedBy(request: WireRequest): MatchedBy | undefined {
    return this.#matcher.matchedBy(request)
  }

  /** The recording that answers a request, which is used up by that; or why there is none. */
  find(request: WireRequest): Recording | Miss {
    const found = this.#matcher.find(request)
    if ('explanation' in found) return found
    const { recording, by, difference } = found
    const { method, path } = request
    this.#tell({ method, path, exchange: recording.exchange, call: recording.call, by, difference })
    return recording
  }

  /** Remembers a request that was not answered. */
  miss(miss: Miss): void {
    this.#tell({ method: miss.method, path: miss.path, miss })
  }

  /** What was asked for and is not there, or not asked for and is; undefined if nothing. */
  notConsumed(): Error | undefined {
    const { folder, problems } = this.#tape
    return notConsumed({ folder, problems, misses: this.misses, unconsumed: this.unconsumed })
  }

  /** Throws unless every recording was asked for, and every request had one. */
  assertConsumed(): void {
    const error = this.notConsumed()
    if (error !== undefined) throw error
  }

  /**
   * The same at the end of a block with `using`. If the block has failed too, as after a miss it has, the engine puts
   * both errors into one that runners show without either message: so what was missed is written down as well.
   */
  dispose(): void {
    const missed = [...new Set(this.misses.map(({ explanation }) => explanation))]
    if (missed.length > 0) console.error(missed.join('\n'))
    this.assertConsumed()
  }

  #tell(request: PlayedRequest): void {
    this.requests.push(request)
    this.#onRequest?.(request)
  }
}

type Redact = NonNullable<MatchOptions['redact']>

/** Where the recorded program worked, and where this one does; undefined if it is the same place or not known. */
function workspaceOf(
  { header: { workspace: recorded } }: Tape,
  current = process.cwd(),
): Workspace | undefined {
  // The root of a file system is the beginning of every path.
  if (recorded === undefined || recorded.length < MIN_WORKSPACE) return undefined
  // A folder below the home directory has a mark in its name on the tape, which no program finds.
  return recorded === current ? undefined : { recorded, current }
}

function redactedText(text: string, redact: Redact): string {
  return Buffer.from(redact(Buffer.from(text))).toString()
}

function inWorkspace(recording: Recording, workspace: Workspace | undefined): Recording {
  if (workspace === undefined) return recording
  return { ...recording, answer: rewriteAnswer(recording.answer, workspace) }
}

/** A request that cannot be answered, for another reason than that it is not on the tape. */
export function missFor({ method, path }: Pick<WireRequest, 'method' | 'path'>, reason: string): Miss {
  const explanation = `no recording answers ${method} ${path}: ${reason}`
  return { method, path, explanation, nearest: undefined, difference: undefined }
}

function otherLegOf(tape: Tape, leg: PlayedLeg): OtherLeg {
  const name = leg === 'proxy' ? 'upstream' : 'proxy'
  return { name, routes: new Set(recordingsOf(tape, name).map(({ request }) => routeOf(request))) }
}
