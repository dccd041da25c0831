import type { Environment } from '@hydra/cli'
import type { GatewayObserver } from '@hydra/gateway'
import { VERSION } from '../version.ts'

/** Traces and metrics that go to a collector. */
export interface Telemetry {
  readonly observer: GatewayObserver
  /** Sends what is left. */
  close(): Promise<void>
}

/** Begins to send traces and metrics to the collector that the environment names; nothing of it is loaded without one. */
export async function startTelemetry(
  env: Environment,
  onProblem: (message: string) => void,
): Promise<Telemetry | undefined> {
  if (!isWanted(env)) return undefined
  const protocol = env['OTEL_EXPORTER_OTLP_PROTOCOL']
  if (protocol !== undefined && protocol !== 'http/json') {
    onProblem(
      `OTEL_EXPORTER_OTLP_PROTOCOL ${protocol}: traces and metrics go out as http/json, which collectors take on the same port as http/protobuf`,
    )
  }
  try {
    const { telemetrySdk } = await import('./telemetry-sdk.ts')
    return telemetrySdk(env, VERSION)
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    onProblem(`no traces are sent: OpenTelemetry could not be loaded: ${reason}`)
    return undefined
  }
}

/** The variables of OpenTelemetry's own: an address for all or for one kind of signal, and a switch for all. */
function isWanted(env: Environment): boolean {
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return false
  return ['', 'TRACES_', 'METRICS_'].some((signal) => env[`OTEL_EXPORTER_OTLP_${signal}ENDPOINT`])
}
