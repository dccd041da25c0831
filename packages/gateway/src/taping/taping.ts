import { HubError } from '@hydra/core'
import type { GatewayContext } from '../context.ts'
import { identifyAgent } from '../exchange/agent.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { ExchangeReport } from '../exchange/report.ts'
import type { ExchangeTape } from './traffic.ts'

/** Begins the record of an exchange, if this gateway keeps one. */
export function beginTaping<Native>(
  { headers }: Exchange<Native>,
  { options }: GatewayContext<Native>,
): Taping | undefined {
  if (options.traffic === undefined) return undefined
  const { name, session } = identifyAgent(headers)
  try {
    const tape = options.traffic.begin({ name, session })
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
  over({ outcome, notes, usage, error }: ExchangeReport): void {
    for (const note of notes) this.tape.note(note)
    if (usage !== undefined) this.tape.usage(usage)
    if (error?.kind === 'timeout_error') this.tape.timeout(error.message)
    this.#outcome = outcome
    if (!this.#isReading) this.tape.done(outcome)
  }

  #upstreamOver(): void {
    this.#isReading = false
    if (this.#outcome !== undefined) this.tape.done(this.#outcome)
  }
}
