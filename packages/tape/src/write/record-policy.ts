import { TapeError } from '../format/tape-error.ts'

/**
 * What happens when a tape cannot be written. `lenient`: it is reported once, and the traffic goes on unrecorded.
 * `strict`: it is reported once, and from then on no exchange begins, so that nothing goes through unrecorded.
 */
export type RecordPolicy = 'lenient' | 'strict'

/** For how long lines are gathered under the lenient policy, in milliseconds. */
const LENIENT_GATHERING = 50

/** For how many milliseconds lines may be gathered: a strict recording has each on the tape before traffic goes on. */
export function gatheringOf(policy: RecordPolicy): number {
  return policy === 'strict' ? 0 : LENIENT_GATHERING
}

/** Reasons that pass: descriptors are closed, disks are cleaned up. All others hold until somebody acts. */
const PASSING = new Set(['EMFILE', 'ENFILE', 'ENOSPC', 'EDQUOT', 'ENOMEM', 'EAGAIN', 'EBUSY', 'EIO', 'EINTR'])

/** What went wrong while recording, and whether the traffic may go on all the same. */
export class RecordProblems {
  readonly #policy: RecordPolicy
  readonly #onProblem: (message: string) => void
  #first: string | undefined
  /** Why tapes cannot be opened at the moment, and how many exchanges have missed theirs. */
  #passing: { readonly message: string; missed: number } | undefined

  constructor(policy: RecordPolicy, onProblem: (message: string) => void) {
    this.#policy = policy
    this.#onProblem = onProblem
  }

  /** What went wrong for good. */
  get lasting(): string | undefined {
    return this.#first
  }

  /** What went wrong for good, or does at the moment; undefined while everything is recorded. */
  get current(): string | undefined {
    return this.#first ?? this.#passing?.message
  }

  /** Something went wrong for good. */
  readonly report = (message: string): void => {
    this.#first ??= message
    this.#say(message)
  }

  /** A tape could not be opened, for a number of exchanges. True if the reason may pass: then the next one tries again. */
  cannotOpen(thrown: unknown, missed: number): boolean {
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    if (!PASSING.has(codeOf(thrown))) {
      this.report(message)
      return false
    }
    if (this.#passing === undefined) this.#say(`${message}; the next request tries again`)
    this.#passing ??= { message, missed: 0 }
    this.#passing.missed += missed
    return true
  }

  /** A tape could be opened. */
  opened(): void {
    if (this.#passing === undefined) return
    this.#say(`recording goes on; ${this.#passing.missed} of the requests before were not recorded`)
    this.#passing = undefined
  }

  /** Throws a `TapeError` if there is a reason why something would go through unrecorded, and nothing may. */
  refuseIfStrict(folder: string, reason: string | undefined): void {
    if (this.#policy !== 'strict' || reason === undefined) return
    throw new TapeError({ file: folder, reason })
  }

  #say(message: string): void {
    try {
      this.#onProblem(message)
    } catch {
      // A listener that fails must not stop the traffic either.
    }
  }
}

/** The system's code of an error, or of the one that it was made from. */
function codeOf(thrown: unknown): string {
  const { code, cause } = (thrown ?? {}) as { readonly code?: unknown; readonly cause?: { code?: unknown } }
  return String(code ?? cause?.code)
}
