import {
  type Attributes,
  type Context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api'
import type { HubRequest } from '@hydra/core'
import type { ExchangeReport } from '../exchange/report.ts'
import type { BegunExchange, ExchangeObserver, FailedTry, ObservedTarget } from '../observe/observer.ts'
import { AnswerContent } from './answer-content.ts'
import { type ContentCapture, type Conventions, finishReason } from './conventions.ts'
import { requestContent } from './request-content.ts'
import { answerAttributes, requestAttributes, sharedAttributes } from './span-attributes.ts'
import type { TelemetryMetrics } from './telemetry-metrics.ts'

/** What all exchanges share. */
export interface Tracing {
  readonly tracer: Tracer
  readonly metrics: TelemetryMetrics
  readonly names: Conventions
  readonly capture: ContentCapture | undefined
  /** Counts milliseconds and never jumps. */
  readonly now: () => number
}

/** One exchange as one span, whatever it took: retries and fallbacks are events of it. */
export class TracedExchange implements ExchangeObserver {
  readonly #tracing: Tracing
  readonly #parent: Context
  readonly #exchange: BegunExchange
  readonly #startTime = Date.now()
  readonly #begun: number
  #request: HubRequest | undefined
  #target: ObservedTarget | undefined
  #span: Span | undefined
  #lastPiece: number | undefined
  #firstChunk: number | undefined
  /** Only where words are wanted: reading along takes time. */
  #content: AnswerContent | undefined

  constructor(exchange: BegunExchange, parent: Context, tracing: Tracing) {
    this.#exchange = exchange
    this.#parent = parent
    this.#tracing = tracing
    this.#begun = tracing.now()
  }

  request(request: HubRequest): void {
    this.#request = request
  }

  /** The span begins here, when its name is known, with the time of the request. */
  target(target: ObservedTarget): void {
    const before = this.#target
    this.#target = target
    const attributes = { ...sharedAttributes(target), ...requestAttributes(this.#request, this.#exchange) }
    const name = `chat ${target.model}`
    if (this.#span === undefined || before === undefined) {
      const options = { kind: SpanKind.CLIENT, startTime: this.#startTime, attributes }
      this.#span = this.#tracing.tracer.startSpan(name, options, this.#parent)
    } else {
      this.#span.addEvent('hydra.fallback', { 'hydra.from': before.upstream, 'hydra.to': target.upstream })
      this.#span.updateName(name).setAttributes(attributes)
    }
    this.#span.setAttributes({ 'hydra.route': target.route, 'hydra.upstream': target.upstream })
  }

  /** The upstream's own spans become children of ours. */
  headers(): Readonly<Record<string, string>> {
    if (this.#tracing.capture !== undefined && this.#target !== undefined) {
      this.#content = new AnswerContent(this.#target)
    }
    const headers: Record<string, string> = {}
    if (this.#span !== undefined) propagation.inject(trace.setSpan(this.#parent, this.#span), headers)
    return headers
  }

  failed({ upstream, model, error, duration, pause }: FailedTry): void {
    this.#span?.addEvent('hydra.try.failed', {
      'hydra.upstream': upstream,
      'gen_ai.request.model': model,
      'error.type': error.kind,
      'http.response.status_code': error.status,
      'hydra.duration': duration / 1000,
      ...(pause !== undefined && { 'hydra.retry.pause': pause / 1000 }),
    })
  }

  read(bytes: Uint8Array): void {
    this.#content?.read(bytes)
  }

  piece(now: number): void {
    if (this.#target === undefined) return
    const attributes = sharedAttributes(this.#target)
    const { metrics } = this.#tracing
    if (this.#lastPiece === undefined) {
      this.#firstChunk = now - this.#begun
      metrics.firstChunk(this.#firstChunk, attributes)
    } else metrics.nextChunk(now - this.#lastPiece, attributes)
    this.#lastPiece = now
  }

  done(report: ExchangeReport): void {
    if (this.#span === undefined || this.#target === undefined) return
    const { names, metrics, capture } = this.#tracing
    const shared = sharedAttributes(this.#target)
    const errorType = errorTypeOf(report)
    const span = this.#span
    span.setAttributes(answerAttributes(report, names))
    if (this.#firstChunk !== undefined) {
      span.setAttribute('gen_ai.response.time_to_first_chunk', this.#firstChunk / 1000)
    }
    if (errorType !== undefined) {
      span.setAttribute('error.type', errorType)
      span.setStatus({ code: SpanStatusCode.ERROR, message: report.error?.message ?? errorType })
    }
    if (capture !== undefined) this.#addContent(span, report, capture)
    metrics.done(report.duration, shared, errorType)
    if (report.usage !== undefined && report.isEstimated !== true) metrics.used(report.usage, shared)
    else if (errorType !== undefined) metrics.unused(shared)
    span.end()
  }

  #addContent(span: Span, { stopReason }: ExchangeReport, { onSpan, onEvent }: ContentCapture): void {
    const content: Attributes = {
      ...(this.#request === undefined ? {} : requestContent(this.#request)),
      ...this.#content?.attributes(finishReason(stopReason)),
    }
    if (onSpan) span.setAttributes(content)
    if (onEvent) span.addEvent('gen_ai.client.inference.operation.details', content)
  }
}

function errorTypeOf({ outcome, error }: ExchangeReport): string | undefined {
  if (outcome === 'answered') return undefined
  return outcome === 'aborted' ? 'client_gone' : (error?.kind ?? '_OTHER')
}
