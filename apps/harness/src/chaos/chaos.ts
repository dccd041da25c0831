import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Tape, TapeProblem } from '@hydra/tape'
import type { SocketFault } from './check-over-sockets.ts'
import { FAULTS, type FaultName } from './faults.ts'
import { offsetsOf } from './offsets.ts'
import type { Verdict } from './oracles.ts'
import { type LeftOut, type Subject, subjectsOf } from './subject.ts'

/** Everything that can be done to an answer. */
export type CaseName = FaultName | SocketFault

/** How a tape is broken. */
export interface ChaosOptions {
  readonly seed: number
  readonly cases: readonly CaseName[]
  /** How many answers with a changed byte are made of a tape. */
  readonly runs: number
  /** How many cuts and resets of a tape go over real sockets. */
  readonly sockets: number
  /** The most cases of one kind for one answer; where there are more, this many are drawn. */
  readonly limit: number
  /** Only this exchange, this call of it, this case. */
  readonly exchange?: number | undefined
  readonly call?: number | undefined
  readonly offset?: number | undefined
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: ChaosProgress) => void
}

/** How far it has come. */
export interface ChaosProgress {
  readonly exchange: number
  readonly name: CaseName
  readonly done: number
  readonly total: number
}

/** Something that must not happen and did. */
export interface ChaosFailure {
  readonly name: CaseName
  readonly exchange: number
  readonly call: number
  readonly seed: number
  /** The smallest number of a case that fails: bytes for cuts, resets and splits. */
  readonly offset: number
  readonly message: string
}

/** What became of a tape. */
export interface ChaosResult {
  readonly folder: string
  readonly ok: boolean
  /** What is wrong with the tape itself: what cannot be read was not broken either. */
  readonly problems: readonly TapeProblem[]
  /** How many answers were broken, and those that were left alone. */
  readonly answers: number
  readonly leftOut: readonly LeftOut[]
  /** How many cases of each kind were looked at. */
  readonly checked: Readonly<Partial<Record<CaseName, number>>>
  /** Where not all cases were looked at: how many of how many. */
  readonly sampled: readonly Sampled[]
  readonly failures: readonly ChaosFailure[]
  readonly isInterrupted: boolean
}

/** Cases that were drawn because there are too many. */
export interface Sampled {
  readonly name: CaseName
  readonly exchange: number
  readonly checked: number
  readonly of: number
}

/** How long the program is busy before it checks for an interrupt, in milliseconds. */
const BUSY = 40

/** Breaks every answer of a tape in every way, and says what was not borne as it should be. */
export async function chaos(tape: Tape, options: ChaosOptions): Promise<ChaosResult> {
  const { subjects, leftOut } = subjectsOf(tape)
  const chosen = subjects.filter(
    ({ exchange, call }) => exchange === (options.exchange ?? exchange) && call === (options.call ?? call),
  )
  const run = new ChaosRun(options, chosen.length)
  for (const subject of chosen) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await run.break(subject)
  }
  await run.breakOverSockets(chosen)
  const { folder, problems } = tape
  const result = run.result()
  const ok = problems.length === 0 && result.failures.length === 0
  return { folder, ok, problems, answers: chosen.length, leftOut, ...result }
}

class ChaosRun {
  readonly #options: ChaosOptions
  readonly #runsPerAnswer: number
  readonly #checked: Partial<Record<CaseName, number>> = {}
  readonly #sampled: Sampled[] = []
  readonly #failures: ChaosFailure[] = []
  #lastPause = performance.now()

  constructor(options: ChaosOptions, answers: number) {
    this.#options = options
    this.#runsPerAnswer = Math.ceil(options.runs / Math.max(1, answers))
  }

  result(): Pick<ChaosResult, 'checked' | 'sampled' | 'failures' | 'isInterrupted'> {
    return {
      checked: this.#checked,
      sampled: this.#sampled,
      failures: this.#failures,
      isInterrupted: this.#isOver,
    }
  }

  get #isOver(): boolean {
    return this.#options.signal?.aborted === true
  }

  async break(subject: Subject): Promise<void> {
    // Of what is passed on, only connections are ours.
    if (subject.way === 'passed') return
    for (const name of this.#options.cases) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      if (isFault(name)) await this.#breakWith(subject, name)
    }
  }

  async breakOverSockets(subjects: readonly Subject[]): Promise<void> {
    const { cases, sockets, offset, seed, signal } = this.#options
    const names = cases.filter((name) => !isFault(name))
    if (names.length === 0 || sockets === 0 || subjects.length === 0) return
    // Servers are only loaded where there is one.
    const { checkOverSockets } = await import('./check-over-sockets.ts')
    const checks = checkOverSockets(subjects, { names, seed, count: sockets, offset, signal })
    for await (const { name, subject, offset: at, verdict } of checks) {
      this.#count(name)
      if (verdict !== undefined) this.#fail(subject, { name, offset: at, message: verdict })
    }
  }

  async #breakWith(subject: Subject, name: FaultName): Promise<void> {
    const { seed, limit, offset, onProgress } = this.#options
    // A case that is named exists, however many were asked for when it was found.
    const options = { seed, runs: Math.max(this.#runsPerAnswer, (offset ?? -1) + 1) }
    const size = FAULTS[name].size(subject, options)
    const offsets = offsetsOf({ size, limit, seed, offset })
    if (offset === undefined && offsets.length < size) {
      this.#sampled.push({ name, exchange: subject.exchange, checked: offsets.length, of: size })
    }
    for (const [done, at] of offsets.entries()) {
      if (performance.now() - this.#lastPause > BUSY) {
        onProgress?.({ exchange: subject.exchange, name, done, total: offsets.length })
        // oxlint-disable-next-line no-await-in-loop -- an interrupt must be noticed
        await this.#pause()
      }
      if (this.#isOver) return
      this.#count(name)
      const message = verdictOf(() => FAULTS[name].check(subject, at, options))
      if (message === undefined) continue
      // They come in order, so this is the smallest.
      this.#fail(subject, { name, offset: at, message })
      return
    }
  }

  async #pause(): Promise<void> {
    await nextTurn()
    this.#lastPause = performance.now()
  }

  #count(name: CaseName): void {
    this.#checked[name] = (this.#checked[name] ?? 0) + 1
  }

  #fail({ exchange, call }: Subject, failure: Pick<ChaosFailure, 'name' | 'offset' | 'message'>): void {
    this.#failures.push({ exchange, call, seed: this.#options.seed, ...failure })
  }
}

function isFault(name: CaseName): name is FaultName {
  return Object.hasOwn(FAULTS, name)
}

function verdictOf(check: () => Verdict): Verdict {
  try {
    return check()
  } catch (thrown) {
    return `it throws: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`
  }
}
