import { HubError } from '@hydra/core'
import type { GatewayContext } from '../context.ts'
import type { Upstream } from '../options.ts'
import type { RouteTarget } from '../route/route.ts'
import type { Taping } from '../taping/taping.ts'
import type { SendContext } from '../upstream/send.ts'
import type { EarlyHead } from './early-head.ts'
import type { DialectExchange } from './exchange.ts'
import type { PreparedRequest } from './prepare.ts'
import type { ExchangeReporter } from './exchange-reporter.ts'
import type { ClientWatch } from './client-watch.ts'

/** One exchange while it waits for its upstream. */
export interface ActiveExchange<Native> {
  readonly exchange: DialectExchange<Native>
  readonly context: GatewayContext<Native>
  readonly reporter: ExchangeReporter<Native>
  readonly prepared: PreparedRequest
  readonly watch: ClientWatch
  /** The record of the exchange, if there is one. */
  readonly taping: Taping | undefined
  /** Sends the head early to clients with a short header timeout. */
  readonly early: EarlyHead<Native> | undefined
}

/** The upstream that a target names. */
export function upstreamOf<Native>({ options }: GatewayContext<Native>, target: RouteTarget): Upstream {
  const upstream = options.upstreams[target.upstream]
  if (upstream !== undefined) return upstream
  throw new HubError('api_error', `upstream ${target.upstream}: not configured`)
}

/** How the calls of an exchange are tried again. */
export function sendContext<Native>({ context, reporter, watch }: ActiveExchange<Native>): SendContext {
  return {
    retries: context.retries,
    now: () => context.watchdog.now(),
    sleep: (milliseconds) => watch.sleep(milliseconds),
    onFailure: (error, pause) => reporter.tryFailed(error, pause),
    onRetry: (error, pause) => reporter.retried(error, pause),
  }
}
