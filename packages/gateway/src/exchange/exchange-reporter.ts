import {
  type AnswerSummary,
  type ConversionTrace,
  type Cost,
  type HubError,
  type HubRequest,
  type HubUsage,
  type LoopTrip,
  type Note,
  usageOf,
} from '@hydra/core'
import type { Admission } from '../client/limiter.ts'
import { usedTokens } from '../client/used-tokens.ts'
import type { GatewayContext } from '../context.ts'
import { beginObserving, type Observed } from '../observe/observed.ts'
import type { RouteTarget } from '../route/route.ts'
import type { Taping } from '../taping/taping.ts'
import { type AgentIdentity, identifyAgent, withMarker } from './agent.ts'
import type { DialectExchange } from './exchange.ts'
import type { ExchangeReport, KeyAttempt } from './report.ts'

/** Gathers what the report of an exchange says, and sends it once. */
export class ExchangeReporter<Native> {
  readonly id: string
  #taping: Taping | undefined
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
  #loopNotes: readonly Note[] = []
  #callNotes: readonly Note[] = []
  #trace: ConversionTrace | undefined
  #loop: ExchangeReport['loop']
  #tier: string | undefined
  /** Those who follow the exchange, if there are any. */
  readonly observed: Observed | undefined
  #isDone = false
  #keys: readonly KeyAttempt[] | undefined
  #admission: Admission | undefined
  #inputEstimate = 0
  /** How far the client is from its limits, as its dialect says it. */
  limitHeaders: Readonly<Record<string, string>> = {}

  constructor(exchange: DialectExchange<Native>, context: GatewayContext<Native>) {
    this.id = exchange.caller.client.newId.request(context.newId())
    this.#exchange = exchange
    this.#context = context
    this.#begun = context.watchdog.now()
    this.#agent = identifyAgent(exchange.headers)
    this.observed = observing(this.id, this.#agent, exchange, context)
  }

  /** Who sent the request, as far as is known. */
  get agent(): AgentIdentity {
    return this.#agent
  }

  /** The exchange is recorded, and its report belongs to the record. */
  recordedBy(taping: Taping): void {
    this.#taping = taping
  }

  request(request: HubRequest): void {
    this.#agent = withMarker(this.#agent, request)
    this.#clientModel = request.model
    this.#stream = request.stream === true
    this.observed?.request(request)
  }

  /** What was found when the request was decoded; what goes on as it came loses nothing, whatever our decoder found. */
  decoded(notes: readonly Note[]): void {
    this.#requestNotes = notes
  }

  /** The conversation runs in circles. */
  looped({ mode, kind, tool, count }: LoopTrip, note: Note): void {
    this.#loop = { mode, kind, tool, count }
    this.#loopNotes = [note]
  }

  target(route: string, target: RouteTarget): void {
    this.#route = route
    this.#target = target
    this.observed?.target(route, target)
  }

  /** What the call was made of; a fallback's takes the place of the one before. */
  encoded(notes: readonly Note[], trace: ConversionTrace | undefined): void {
    this.#callNotes = notes
    this.#trace = trace
  }

  /** What the upstream is asked for may be a service that costs more or less than usual. */
  asksFor(body: unknown): void {
    if (this.#context.options.prices !== undefined) this.#tier = tierIn(body)
  }

  /** A try failed, and is made again after a pause if there is one. */
  tryFailed(error: HubError, pause: number | undefined): void {
    this.observed?.failed(error, pause)
  }

  retried(error: HubError, pause: number): void {
    this.#retries += 1
    this.#taping?.tape.retry(error.message, pause)
  }

  /** A call begins with one of several keys. */
  trying(attempt: KeyAttempt): void {
    this.#keys = [...(this.#keys ?? []), attempt]
  }

  /** The call that was begun last failed. */
  keyFailed(attempt: KeyAttempt): void {
    this.#keys = [...(this.#keys ?? []).slice(0, -1), attempt]
  }

  /** The client's use is counted: when the exchange is over it is settled, or now if it is over already. */
  admitted(admission: Admission, inputEstimate: number): void {
    this.#admission = admission
    this.#inputEstimate = inputEstimate
    const { limits } = admission
    if (limits !== undefined) {
      this.limitHeaders = this.#exchange.caller.client.limitHeaders?.(limits) ?? {}
    }
    if (this.#isDone) this.#settle(this.#reportOf('aborted', {}), {})
  }

  /** The status has gone out. */
  began(status: number): void {
    this.#status = status
    this.#firstByte ??= this.#context.watchdog.now() - this.#begun
    this.observed?.began(status)
  }

  get noteCount(): number {
    return this.#requestNotes.length + this.#loopNotes.length + this.#callNotes.length
  }

  /** The exchange is over; later calls change nothing. */
  done(outcome: ExchangeReport['outcome'], details: RecordedAnswer = {}): void {
    if (this.#isDone) return
    this.#isDone = true
    const report = this.#reportOf(outcome, details)
    this.#taping?.over(report)
    this.observed?.done(report)
    this.#settle(report, details)
    this.#tell(report)
  }

  #reportOf(outcome: ExchangeReport['outcome'], details: RecordedAnswer): ExchangeReport {
    const { summary, notes = [], error } = details
    const { usage, isEstimated } = this.#countedOf(outcome, summary)
    return {
      id: this.id,
      method: this.#exchange.method,
      path: this.#exchange.path,
      ...identityOf(this.#exchange),
      client: this.#exchange.caller.dialect,
      agent: this.#agent,
      outcome,
      status: this.#status,
      stream: this.#stream,
      route: this.#route,
      upstream: this.#target?.upstream,
      clientModel: this.#clientModel,
      upstreamModel: this.#target?.model,
      answeredBy: summary?.answeredBy,
      firstByte: this.#firstByte,
      duration: this.#context.watchdog.now() - this.#begun,
      usage,
      isEstimated: isEstimated ? true : undefined,
      cost: this.#costOf(details, { usage, isEstimated }),
      stopReason: summary?.stopReason,
      toolCalls: summary?.toolCalls ?? 0,
      retries: this.#retries,
      ...(this.#keys && { keys: this.#keys }),
      notes: [...this.#requestNotes, ...this.#loopNotes, ...this.#callNotes, ...notes],
      loop: this.#loop,
      error: error === undefined ? undefined : { kind: error.kind, message: error.message },
      trace: this.#trace,
    }
  }

  /** Where a client's use is counted, what it is settled for is what everybody is told, also if the upstream did not say it. */
  #countedOf(outcome: ExchangeReport['outcome'], summary: AnswerSummary | undefined): CountedUsage {
    if (summary?.usage !== undefined || this.#admission?.settle === undefined) {
      return { usage: summary?.usage, isEstimated: summary?.isEstimated === true }
    }
    const upstream = this.#target?.upstream
    const { input, output } = usedTokens(
      { outcome, usage: undefined, upstream },
      summary,
      this.#inputEstimate,
    )
    if (input + output === 0) return { usage: undefined, isEstimated: false }
    return { usage: usageOf({ input_tokens: input, output_tokens: output }), isEstimated: true }
  }

  /** Nothing is paid where no answer began. */
  #costOf({ summary, error }: RecordedAnswer, { usage, isEstimated }: CountedUsage): Cost | undefined {
    const { prices, upstreams } = this.#context.options
    const upstream = upstreams[this.#target?.upstream ?? '']
    if (prices === undefined || this.#target === undefined || upstream === undefined) return undefined
    if (summary === undefined && usage === undefined) return undefined
    if (error !== undefined && this.#status >= 400) return undefined
    const { upstream: name, model = '' } = this.#target
    return prices.cost({ upstream: name, url: upstream.url, model, usage, isEstimated, tier: this.#tier })
  }

  #settle(report: ExchangeReport, { summary }: RecordedAnswer): void {
    const { outcome, upstream } = report
    const used = usedTokens({ outcome, upstream, usage: summary?.usage }, summary, this.#inputEstimate)
    this.#admission?.settle?.(used, report)
  }

  /** A hook that fails, now or later, must not take the answer with it; but it must be seen. */
  #tell(report: ExchangeReport): void {
    try {
      const hooked: unknown = this.#context.options.onExchange?.(report, this.#exchange.native)
      if (hooked instanceof Promise) hooked.catch(complain)
    } catch (thrown) {
      complain(thrown)
    }
  }
}

interface CountedUsage {
  readonly usage: HubUsage | undefined
  readonly isEstimated: boolean
}

/** Who called, without the limits. */
function identityOf({ identity }: DialectExchange): Pick<ExchangeReport, 'identity'> {
  if (identity === undefined) return {}
  return { identity: { id: identity.id, name: identity.name, owner: identity.owner } }
}

function complain(thrown: unknown): void {
  console.error('hydra: the onExchange hook failed:', thrown)
}

function observing<Native>(
  id: string,
  agent: AgentIdentity,
  { method, path, headers, caller }: DialectExchange<Native>,
  context: GatewayContext<Native>,
): Observed | undefined {
  if (context.options.observers === undefined) return undefined
  return beginObserving({ id, agent, method, path, headers, client: caller.dialect }, context)
}

/** The class of service that a request asks for, by whatever name its dialect has for it. */
function tierIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const fields = body as Readonly<Record<string, unknown>>
  const tier = fields['service_tier'] ?? fields['serviceTier']
  return typeof tier === 'string' ? tier : undefined
}

/** What the answer itself adds to a report. */
export interface RecordedAnswer {
  readonly summary?: AnswerSummary
  readonly notes?: readonly Note[]
  readonly error?: HubError | undefined
}
