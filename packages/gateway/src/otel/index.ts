export type { TelemetryEnvironment } from './conventions.ts'
export { otelObserver, type OtelOptions } from './otel-observer.ts'
