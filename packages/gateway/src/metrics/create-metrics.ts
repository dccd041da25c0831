import type { GatewayObserver, GatewayState } from '../observe/observer.ts'
import type { BreakerState } from '../upstream/breaker.ts'
import { ExchangeInstruments } from './exchange-instruments.ts'
import type { MetricFamily, NumberFamily } from './family.ts'
import { formatMetrics } from './format-metrics.ts'
import { MeasuredExchange, type UnderWay } from './measured-exchange.ts'
import { ModelNames } from './model-names.ts'

/** Figures of a gateway for Prometheus: an observer that is asked for what it has counted. */
export interface Metrics extends GatewayObserver {
  /** The figures as values, to be merged with those of other processes. */
  families(): readonly MetricFamily[]
  /** The figures in Prometheus's text format. */
  text(): string
}

/** What else is shown, and by what clock. */
export interface MetricsOptions {
  /** Further figures, such as `processFigures()` of `@hydra/gateway/node`. */
  readonly figures?: () => readonly MetricFamily[]
  /** Counts milliseconds and never jumps. */
  readonly now?: () => number
}

/** Counts and measures exchanges. */
export function createMetrics({ figures, now = () => performance.now() }: MetricsOptions = {}): Metrics {
  const instruments = new ExchangeInstruments()
  const names = new ModelNames()
  const underWay: UnderWay = { requests: 0, streams: 0 }
  /** Of the gateway that was made last: one with new settings takes the place of the one before. */
  let attached: GatewayState | undefined
  const families = (): readonly MetricFamily[] => [
    ...instruments.families,
    gauge('hydra_requests_active', 'Exchanges that are under way.', underWay.requests),
    gauge('hydra_streams_active', 'Streams that are being sent to clients.', underWay.streams),
    breakerFamily(attached?.breakers() ?? new Map()),
    ...(figures?.() ?? []),
  ]
  return {
    attach(state) {
      attached = state
      names.add(state.options.routes)
    },
    begin: () => new MeasuredExchange({ instruments, names, underWay, now }),
    families,
    text: () => formatMetrics(families()),
  }
}

const STATES: readonly BreakerState[] = ['closed', 'open', 'probing']

/** One sample for each state, 1 for the one that holds: so that it can be added up and asked for by name. */
function breakerFamily(breakers: ReadonlyMap<string, BreakerState>): NumberFamily {
  return {
    type: 'gauge',
    name: 'hydra_breaker_state',
    help: 'Whether an upstream is served (closed), left alone (open) or tried again (probing): 1 for what holds.',
    isPerProcess: true,
    samples: [...breakers].flatMap(([upstream, now]) =>
      STATES.map((state) => ({ labels: { upstream, state }, value: state === now ? 1 : 0 })),
    ),
  }
}

function gauge(name: string, help: string, value: number): NumberFamily {
  return { type: 'gauge', name, help, samples: [{ labels: {}, value }] }
}
