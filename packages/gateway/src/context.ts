import { type ClientDialect, anthropic, openaiChat, type UpstreamDialect } from '@hydra/core'
import {
  DEFAULT_LIMITS,
  DEFAULT_RETRIES,
  DEFAULT_TIMEOUTS,
  type GatewayOptions,
  type Limits,
  type Retries,
  type Timeouts,
  type Upstream,
} from './options.ts'
import { fetchTransport } from './upstream/fetch-transport.ts'
import type { Transport } from './upstream/transport.ts'
import { Watchdog } from './watchdog.ts'

/** What all exchanges of a gateway share. */
export interface GatewayContext<Native = unknown> {
  readonly options: GatewayOptions<Native>
  readonly client: ClientDialect
  readonly timeouts: Timeouts
  readonly retries: Retries
  readonly limits: Limits
  readonly transport: Transport
  readonly watchdog: Watchdog
  readonly newId: () => string
}

/** Fills in the defaults. */
export function contextOf<Native>(options: GatewayOptions<Native>): GatewayContext<Native> {
  return {
    options,
    client: anthropic.client,
    timeouts: { ...DEFAULT_TIMEOUTS, ...options.timeouts },
    retries: { ...DEFAULT_RETRIES, ...options.retries },
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    transport: options.transport ?? fetchTransport(),
    watchdog: new Watchdog(),
    newId: options.newId ?? (() => crypto.randomUUID().replaceAll('-', '')),
  }
}

const DIALECTS: Readonly<Record<Upstream['dialect'], UpstreamDialect>> = {
  'openai-chat': openaiChat.upstream,
  anthropic: anthropic.upstream,
}

/** The translators of an upstream. */
export function dialectOf(upstream: Upstream): UpstreamDialect {
  return DIALECTS[upstream.dialect]
}
