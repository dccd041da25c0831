export type { AgentIdentity } from './exchange/agent.ts'
export { LEAD_MARKER } from './exchange/agent.ts'
export type {
  ExchangeTape,
  RecordedClient,
  RecordedRequest,
  RecordedVia,
  TrafficRecorder,
} from './taping/traffic.ts'
export type { Exchange, RequestBody, ReplyListener, Responder } from './exchange/exchange.ts'
export type { ExchangeReport } from './exchange/report.ts'
export { createGateway, type FetchBinding, type Gateway } from './gateway.ts'
export { DEFAULT_MEMORY, type MemoryLimits } from './memory/bounded-memory.ts'
export type { GuardOptions } from './guard.ts'
export {
  DEFAULT_BREAKER,
  DEFAULT_LIMITS,
  DEFAULT_RETRIES,
  DEFAULT_TIMEOUTS,
  type GatewayOptions,
  type Limits,
  type RequestInfo,
  type Retries,
  type Timeouts,
  type Upstream,
} from './options.ts'
export type { Route, RouteMatch, RouteTarget } from './route/route.ts'
export { Secret } from './secret.ts'
export { addressOf } from './upstream/address.ts'
export type { BreakerLimits } from './upstream/breaker.ts'
export { type Fetch, fetchTransport } from './upstream/fetch-transport.ts'
export type { BodyListener, Transport, UpstreamAnswer, UpstreamCall } from './upstream/transport.ts'
