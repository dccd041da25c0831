import type { Tape } from '@hydra/tape'
import { chaos, type ChaosOptions } from '../chaos/chaos.ts'
import { regress } from '../regress/regress.ts'
import type { Finding } from '../regress/regress-result.ts'
import type { FailureOf } from './shrink.ts'

/** Looks for exchanges that are not as expected, in the way the tape is not when it is first looked at. */
export function regressFailure(): FailureOf {
  let wanted: ReadonlySet<Finding['about']> | undefined
  return async (tape) => {
    const { tapes } = await regress([tape.folder], { read: () => tape })
    const findings = tapes.flatMap(({ exchanges }) => exchanges.flatMap((exchange) => exchange.findings))
    wanted ??= new Set(findings.map(({ about }) => about))
    const found = findings.find(({ about }) => wanted?.has(about))
    return found?.message
  }
}

/** Looks for the first kind of fault that is not borne by the tape when it is first looked at. */
export function chaosFailure(options: ChaosOptions): FailureOf {
  let cases = options.cases
  return async (tape: Tape) => {
    const { failures } = await chaos(tape, { ...options, cases })
    const [first] = failures
    if (first === undefined) return undefined
    // The others only cost time: the smallest tape is one for this kind.
    cases = [first.name]
    return `${first.name} at ${first.offset}: ${first.message}`
  }
}
