export type { AgentIdentity } from './exchange/agent.ts'
export { LEAD_MARKER } from './exchange/agent.ts'
export type {
  ExchangeTape,
  RecordedClient,
  RecordedRequest,
  RecordedVia,
  TrafficRecorder,
} from './taping/traffic.ts'
export { bothRecorders } from './taping/both-recorders.ts'
export {
  type GatewayInspector,
  type InspectedGateway,
  INSPECTOR_PATH,
  isForInspector,
} from './taping/inspector.ts'
export type { Exchange, RequestBody, ReplyListener, Responder } from './exchange/exchange.ts'
export type { ExchangeReport, KeyAttempt } from './exchange/report.ts'
export { createGateway, type FetchBinding, type Gateway } from './gateway.ts'
export type {
  BegunExchange,
  ExchangeObserver,
  FailedTry,
  GatewayObserver,
  GatewayState,
  ObservedTarget,
} from './observe/observer.ts'
export { BoundedMemory, DEFAULT_MEMORY, type MemoryLimits } from './memory/bounded-memory.ts'
export type { SharedMemory } from './memory/shared-memory.ts'
export type { UpstreamRests } from './upstream/upstream-rests.ts'
export { presentedKeys } from './guard.ts'
export type { GuardOptions } from './schema/guard.ts'
export type { ClientIdentity } from './client/client-identity.ts'
export type { ClientBudget, ClientLimits } from './client/client-limits.ts'
export type { Admission, Demand, Limiter, UsedTokens } from './client/limiter.ts'
export {
  DEFAULT_BREAKER,
  DEFAULT_LIMITS,
  DEFAULT_RETRIES,
  DEFAULT_TIMEOUTS,
  type Authorization,
  type GatewayOptions,
  type HydraOptions,
  type Limits,
  type ProvidedUpstream,
  type RequestInfo,
  type Retries,
  type RouteOptions,
  type Timeouts,
  type Upstream,
  type UpstreamKey,
  type UpstreamOptions,
} from './options.ts'
export { OptionsError } from './options-error.ts'
export {
  amazonQ,
  anthropic,
  azure,
  deepseek,
  gemini,
  generic,
  groq,
  llamacpp,
  lmstudio,
  mistral,
  moonshot,
  ollama,
  openai,
  openrouter,
  type Preset,
  type PresetOptions,
  qwen,
  vertex,
  vllm,
  zhipu,
} from './presets.ts'
export type { Route, RouteMatch, RouteTarget } from './route/route.ts'
export type { Fault } from './schema/fault.ts'
export { Secret } from './secret.ts'
export { HubError } from '@hydra/core'
export { addressOf } from './upstream/address.ts'
export type { BreakerLimits, BreakerState } from './upstream/breaker.ts'
export { type Fetch, fetchTransport } from './upstream/fetch-transport.ts'
export type { BodyListener, Transport, UpstreamAnswer, UpstreamCall } from './upstream/transport.ts'
