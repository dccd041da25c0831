import { context, metrics, propagation, type TextMapGetter, trace } from '@opentelemetry/api'
import { headerOf, type HeaderValues } from '@hydra/core'
import type { GatewayObserver } from '../observe/observer.ts'
import { captureIn, conventionsIn, type TelemetryEnvironment } from './conventions.ts'
import { TelemetryMetrics } from './telemetry-metrics.ts'
import { TracedExchange } from './traced-exchange.ts'

const SCOPE = '@hydra/gateway'

/** How traces and metrics are made. */
export interface OtelOptions {
  /** Where `OTEL_SEMCONV_STABILITY_OPT_IN` and `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` are looked for. */
  readonly env?: TelemetryEnvironment
  /** Counts milliseconds and never jumps. */
  readonly now?: () => number
}

/** Tells OpenTelemetry of exchanges: whatever SDK is registered when it is made hears it, and without one nobody does. */
export function otelObserver({ env = {}, now = () => performance.now() }: OtelOptions = {}): GatewayObserver {
  const names = conventionsIn(env)
  const tracing = {
    tracer: trace.getTracer(SCOPE),
    metrics: new TelemetryMetrics(metrics.getMeter(SCOPE), names),
    names,
    capture: captureIn(env),
    now,
  }
  return {
    begin: (exchange) =>
      new TracedExchange(exchange, propagation.extract(context.active(), exchange.headers, HEADERS), tracing),
  }
}

const HEADERS: TextMapGetter<HeaderValues> = {
  keys: (headers) => Object.keys(headers),
  get: (headers, name) => headerOf(headers, name.toLowerCase()),
}
