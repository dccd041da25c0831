import type { ExchangeReport } from '../exchange/report.ts'
import type { ExchangeObserver, FailedTry, ObservedTarget } from '../observe/observer.ts'
import type { ExchangeInstruments } from './exchange-instruments.ts'
import type { ModelNames } from './model-names.ts'

/** How many exchanges are under way. */
export interface UnderWay {
  requests: number
  streams: number
}

/** What is shared by all exchanges that are measured. */
export interface Measuring {
  readonly instruments: ExchangeInstruments
  readonly names: ModelNames
  readonly underWay: UnderWay
  readonly now: () => number
}

/** What is written where an exchange never got to an upstream. */
const NOBODY = 'none'

/** Measures one exchange. */
export class MeasuredExchange implements ExchangeObserver {
  readonly #measuring: Measuring
  readonly #begun: number
  #target: ObservedTarget | undefined
  #lastPiece: number | undefined

  constructor(measuring: Measuring) {
    this.#measuring = measuring
    this.#begun = measuring.now()
    measuring.underWay.requests += 1
  }

  target(target: ObservedTarget): void {
    const before = this.#target
    this.#target = target
    if (before === undefined) return
    this.#measuring.instruments.fallbacks.add({ upstream: before.upstream, to: target.upstream })
  }

  failed({ upstream, error, pause }: FailedTry): void {
    if (pause !== undefined) this.#measuring.instruments.retries.add({ upstream, kind: error.kind })
  }

  piece(now: number): void {
    const { instruments, names, underWay } = this.#measuring
    const { upstream = NOBODY, model = NOBODY } = this.#target ?? {}
    if (this.#lastPiece === undefined) {
      underWay.streams += 1
      names.remember(model)
      const labels = { upstream, model: names.label(model) }
      instruments.firstToken.observe(labels, (now - this.#begun) / 1000)
    } else instruments.gaps.observe({ upstream }, (now - this.#lastPiece) / 1000)
    this.#lastPiece = now
  }

  done(report: ExchangeReport): void {
    const { instruments, names, underWay } = this.#measuring
    underWay.requests -= 1
    if (this.#lastPiece !== undefined) underWay.streams -= 1
    const { client, outcome, upstream = NOBODY, upstreamModel = NOBODY, duration, error, cost } = report
    if (outcome === 'answered' || upstream === NOBODY) names.remember(upstreamModel)
    const labels = { upstream, model: names.label(upstreamModel) }
    instruments.requests.add({ client, ...labels, outcome })
    instruments.duration.observe({ ...labels, outcome }, duration / 1000)
    if (outcome === 'failed') instruments.errors.add({ upstream, kind: error?.kind ?? 'unknown' })
    if (cost?.usd !== undefined) instruments.cost.add(labels, cost.usd)
    else if (cost !== undefined) instruments.costUnknown.add(labels)
    this.#countTokens(report, labels)
    this.#countRefusals(report)
  }

  #countRefusals({ keys = [] }: ExchangeReport): void {
    const { keyRefusals } = this.#measuring.instruments
    for (const { upstream, label: key, status } of keys) {
      if (status !== undefined) keyRefusals.add({ upstream, key, status: String(status) })
    }
  }

  #countTokens({ usage, isEstimated }: ExchangeReport, model: { upstream: string; model: string }): void {
    if (usage === undefined) return
    const { inputTokens, outputTokens, reasoningTokens } = this.#measuring.instruments
    const labels = { ...model, source: isEstimated === true ? 'estimate' : 'upstream' }
    inputTokens.add({ ...labels, cache: 'none' }, usage.input_tokens)
    inputTokens.add({ ...labels, cache: 'read' }, usage.cache_read_input_tokens ?? 0)
    inputTokens.add({ ...labels, cache: 'write' }, usage.cache_creation_input_tokens ?? 0)
    outputTokens.add(labels, usage.output_tokens)
    reasoningTokens.add(labels, usage.output_tokens_details?.thinking_tokens ?? 0)
  }
}
