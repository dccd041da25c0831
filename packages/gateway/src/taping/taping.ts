import { HubError } from '@hydra/core'
import type { GatewayContext } from '../context.ts'
import type { AgentIdentity } from '../exchange/agent.ts'
import type { ExchangeReport } from '../exchange/report.ts'
import type { ExchangeTape } from './traffic.ts'

/** Begins the record of an exchange, if this gateway keeps one. */
export function beginTaping<Native>(
  { name, session }: AgentIdentity,
  { traffic }: GatewayContext<Native>,
): Taping | undefined {
  if (traffic === undefined) return undefined
  try {
    const tape = traffic.begin({ name, session })
    return tape && new Taping(tape)
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    throw new HubError('api_error', `nothing goes through unrecorded: ${reason}`, { status: 503 })
  }
}

/** The record of one exchange; it is complete when the client has its answer and no upstream is being read any more. */
export class Taping {
  readonly tape: ExchangeTape
  #outcome: ExchangeReport['outcome'] | undefined
  #cost: ExchangeReport['cost']
  #isReading = false
  #isClientGone = false

  constructor(tape: ExchangeTape) {
    this.tape = tape
  }

  /** An upstream is called. */
  called(): void {
    this.#isReading = true
  }

  upstreamEnded(): void {
    if (!this.#isReading) return
    this.tape.upstreamEnd()
    this.#upstreamOver()
  }

  upstreamFailed(error: Error): void {
    if (!this.#isReading) return
    // A call that we gave up ourselves fails as well, and that is not its own doing.
    if (!this.#isClientGone) this.tape.abort('upstream', error.message)
    this.#upstreamOver()
  }

  upstreamAborted(): void {
    if (!this.#isReading) return
    if (!this.#isClientGone) this.tape.abort('proxy', 'the upstream was given up')
    this.#upstreamOver()
  }

  clientGone(): void {
    if (this.#isClientGone || this.#outcome !== undefined) return
    this.#isClientGone = true
    this.tape.abort('client')
  }

  /** The client has its answer, whatever that was. */
  over(report: ExchangeReport): void {
    const { outcome, notes, usage, cost, error } = report
    for (const note of notes) this.tape.note(note)
    if (usage !== undefined) this.tape.usage(usage)
    if (error?.kind === 'timeout_error') this.tape.timeout(error.message)
    this.tape.report?.(report)
    this.#outcome = outcome
    this.#cost = cost
    if (!this.#isReading) this.tape.done(outcome, cost)
  }

  #upstreamOver(): void {
    this.#isReading = false
    if (this.#outcome !== undefined) this.tape.done(this.#outcome, this.#cost)
  }
}
