import type { AnswerSummary, ConversionTrace, HubError, HubRequest, LoopTrip, Note } from '@hydra/core'
import type { GatewayContext } from '../context.ts'
import type { RouteTarget } from '../route/route.ts'
import type { Taping } from '../taping/taping.ts'
import { type AgentIdentity, identifyAgent } from './agent.ts'
import type { DialectExchange } from './exchange.ts'
import type { ExchangeReport } from './report.ts'

/** Gathers what the report of an exchange says, and sends it once. */
export class ExchangeReporter<Native> {
  readonly id: string
  /** The record of the exchange, if there is one. */
  taping: Taping | undefined
  readonly #exchange: DialectExchange<Native>
  readonly #context: GatewayContext<Native>
  readonly #begun: number
  #agent: AgentIdentity
  #clientModel: string | undefined
  #stream = false
  #route: string | undefined
  #target: RouteTarget | undefined
  #firstByte: number | undefined
  #status = 0
  #retries = 0
  #requestNotes: readonly Note[] = []
  #callNotes: readonly Note[] = []
  #trace: ConversionTrace | undefined
  #loop: ExchangeReport['loop']
  #isDone = false

  constructor(exchange: DialectExchange<Native>, context: GatewayContext<Native>) {
    this.id = exchange.caller.client.newId.request(context.newId())
    this.#exchange = exchange
    this.#context = context
    this.#begun = context.watchdog.now()
    this.#agent = identifyAgent(exchange.headers)
  }

  request(request: HubRequest): void {
    this.#agent = identifyAgent(this.#exchange.headers, request)
    this.#clientModel = request.model
    this.#stream = request.stream === true
  }

  /** What was found when the request was decoded. */
  decoded(notes: readonly Note[]): void {
    this.#requestNotes = notes
  }

  /** The conversation runs in circles. */
  looped({ mode, kind, tool, count }: LoopTrip, note: Note): void {
    this.#loop = { mode, kind, tool, count }
    this.#requestNotes = [...this.#requestNotes, note]
  }

  target(route: string, target: RouteTarget): void {
    this.#route = route
    this.#target = target
  }

  /** What the call was made of; a fallback's takes the place of the one before. */
  encoded(notes: readonly Note[], trace: ConversionTrace | undefined): void {
    this.#callNotes = notes
    this.#trace = trace
  }

  retried(error: HubError, pause: number): void {
    this.#retries += 1
    this.taping?.tape.retry(error.message, pause)
  }

  /** The status has gone out. */
  began(status: number): void {
    this.#status = status
    this.#firstByte ??= this.#context.watchdog.now() - this.#begun
  }

  get noteCount(): number {
    return this.#requestNotes.length + this.#callNotes.length
  }

  /** The exchange is over; later calls change nothing. */
  done(outcome: ExchangeReport['outcome'], details: RecordedAnswer = {}): void {
    if (this.#isDone) return
    this.#isDone = true
    const { summary, notes = [], error } = details
    const report: ExchangeReport = {
      id: this.id,
      method: this.#exchange.method,
      path: this.#exchange.path,
      client: this.#exchange.caller.dialect,
      agent: this.#agent,
      outcome,
      status: this.#status,
      stream: this.#stream,
      route: this.#route,
      upstream: this.#target?.upstream,
      clientModel: this.#clientModel,
      upstreamModel: this.#target?.model,
      firstByte: this.#firstByte,
      duration: this.#context.watchdog.now() - this.#begun,
      usage: summary?.usage,
      stopReason: summary?.stopReason,
      toolCalls: summary?.toolCalls ?? 0,
      retries: this.#retries,
      notes: [...this.#requestNotes, ...this.#callNotes, ...notes],
      loop: this.#loop,
      error: error === undefined ? undefined : { kind: error.kind, message: error.message },
      trace: this.#trace,
    }
    this.taping?.over(report)
    this.#tell(report)
  }

  /** A hook that fails, now or later, must not take the answer with it; but it must be seen. */
  #tell(report: ExchangeReport): void {
    try {
      const told: unknown = this.#context.options.onExchange?.(report, this.#exchange.native)
      if (told instanceof Promise) told.catch(complain)
    } catch (thrown) {
      complain(thrown)
    }
  }
}

function complain(thrown: unknown): void {
  console.error('hydra: the onExchange hook failed:', thrown)
}

/** What the answer itself adds to a report. */
export interface RecordedAnswer {
  readonly summary?: AnswerSummary
  readonly notes?: readonly Note[]
  readonly error?: HubError | undefined
}
