import type { Tape, TapeProblem } from '../format/tape.ts'
import type { WireRequest } from '../match/canonical-request.ts'
import type { Miss } from '../match/explain-miss.ts'
import type { MatchedBy } from '../match/matcher.ts'
import { Answers, type AnswersOptions } from './answers.ts'
import { NotConsumed } from './not-consumed.ts'
import type { PlayedRequest } from './played-request.ts'
import type { Recording } from './recording.ts'

/** From the strongest to the weakest: a tape that has the request itself comes before one that has a similar one. */
const STRENGTHS: readonly MatchedBy[] = ['request', 'conversation', 'order']

/** The answers of one tape or of several, as if they were on one. */
export class AnswersOfTapes {
  readonly requests: PlayedRequest[] = []
  readonly #tapes: readonly Answers[]
  readonly #missed = new Map<Miss, Answers>()

  constructor(tapes: readonly (string | Tape)[], options: AnswersOptions) {
    const onRequest = (request: PlayedRequest): void => {
      this.requests.push(request)
      options.onRequest?.(request)
    }
    this.#tapes = tapes.map((tape) => new Answers(tape, { ...options, onRequest }))
    if (tapes.length === 0) throw new Error('expected a tape, got an empty list')
  }

  get recordings(): readonly Recording[] {
    return this.#tapes.flatMap(({ recordings }) => recordings)
  }

  get problems(): readonly TapeProblem[] {
    return this.#tapes.flatMap(({ problems }) => problems)
  }

  get misses(): readonly Miss[] {
    return this.requests.map(({ miss }) => miss).filter((miss) => miss !== undefined)
  }

  get unconsumed(): readonly Recording[] {
    return this.#tapes.flatMap(({ unconsumed }) => unconsumed)
  }

  /** The recording that answers a request, which is used up by that; or why there is none. */
  find(request: WireRequest): Recording | Miss {
    const strengths = this.#tapes.map((tape) => tape.matchedBy(request))
    const strongest = STRENGTHS.find((strength) => strengths.includes(strength))
    const holder = strongest && this.#tapes[strengths.indexOf(strongest)]
    return holder === undefined ? this.#missOf(request) : holder.find(request)
  }

  /** Remembers a request that was not answered, with the tape that comes nearest. */
  miss(miss: Miss): void {
    const [first] = this.#tapes
    const tape = this.#missed.get(miss) ?? first
    tape?.miss(miss)
  }

  /** Throws unless every recording was asked for, and every request had one. */
  assertConsumed(): void {
    const errors = this.#tapes.map((tape) => tape.notConsumed()).filter((error) => error !== undefined)
    const [first] = errors
    if (first === undefined) return
    if (errors.length === 1) throw first
    throw new NotConsumed(errors.map(({ message }) => message).join('\n'))
  }

  /** The same at the end of a block with `using`. */
  dispose(): void {
    const missed = [...new Set(this.misses.map(({ explanation }) => explanation))]
    // If the block has failed too, the engine puts both errors into one that runners show without either message.
    if (missed.length > 0) console.error(missed.join('\n'))
    this.assertConsumed()
  }

  /** Of several tapes, the first that has anything like it says why. */
  #missOf(request: WireRequest): Recording | Miss {
    const found = this.#tapes.map((tape) => ({ tape, miss: tape.find(request) }))
    const [first] = found
    const nearest = found.find(({ miss }) => 'nearest' in miss && miss.nearest !== undefined) ?? first
    if (nearest === undefined || !('explanation' in nearest.miss)) throw new Error('a miss became a match')
    const { tape, miss } = nearest
    if (this.#tapes.length === 1) return miss
    const explained = { ...miss, explanation: `${miss.explanation} (${tape.folder})` }
    this.#missed.set(explained, tape)
    return explained
  }
}
