import { setTimeout as sleep } from 'node:timers/promises'
import { metrics, propagation, trace } from '@opentelemetry/api'
import { CompositePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Environment } from '@hydra/cli'
import { otelObserver } from '@hydra/gateway/otel'
import type { Telemetry } from './start-telemetry.ts'

/** How often metrics are sent, in milliseconds, unless `OTEL_METRIC_EXPORT_INTERVAL` says otherwise. */
const DEFAULT_INTERVAL = 60_000

/** How long the last of it may take. */
const LAST_MOMENTS = 3000

/** OpenTelemetry's SDK with its exporters, which read the other variables themselves. */
export function telemetrySdk(env: Environment, version: string): Telemetry {
  // Processes of one proxy are told apart by service.instance.id; a name of the environment counts more than ours.
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'hydra', 'service.version': version }))
    .merge(detectResources({ detectors: [envDetector, serviceInstanceIdDetector] }))
  const delay = Number(env['OTEL_BSP_SCHEDULE_DELAY'] ?? Number.NaN)
  const tracers = new TracerProvider({
    resource,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        ...(Number.isFinite(delay) && { scheduledDelayMillis: delay }),
      }),
    ],
  })
  const interval = Number(env['OTEL_METRIC_EXPORT_INTERVAL'] ?? DEFAULT_INTERVAL) || DEFAULT_INTERVAL
  const meters = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter(),
        exportIntervalMillis: interval,
        exportTimeoutMillis: Math.min(interval, DEFAULT_INTERVAL / 2),
      }),
    ],
  })
  trace.setGlobalTracerProvider(tracers)
  metrics.setGlobalMeterProvider(meters)
  propagation.setGlobalPropagator(new CompositePropagator({ propagators: [new W3CTraceContextPropagator()] }))
  return {
    observer: otelObserver({ env }),
    async close() {
      const sent = Promise.allSettled([tracers.shutdown(), meters.shutdown()])
      // A collector that does not answer must not keep the proxy from ending.
      await Promise.race([sent, sleep(LAST_MOMENTS, undefined, { ref: false })])
    },
  }
}
