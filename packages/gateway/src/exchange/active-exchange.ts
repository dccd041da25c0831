import { HubError } from '@hydra/core'
import type { GatewayContext } from '../context.ts'
import type { Upstream } from '../options.ts'
import type { RouteTarget } from '../route/route.ts'
import type { SendContext } from '../upstream/send.ts'
import type { DialectExchange } from './exchange.ts'
import type { PreparedRequest } from './prepare.ts'
import type { ExchangeReporter } from './exchange-reporter.ts'
import type { WaitingCall } from './waiting-call.ts'

/** One exchange while it waits for its upstream. */
export interface ActiveExchange<Native> {
  readonly exchange: DialectExchange<Native>
  readonly context: GatewayContext<Native>
  readonly reporter: ExchangeReporter<Native>
  readonly prepared: PreparedRequest
  readonly waiting: WaitingCall
}

/** The upstream that a target names. */
export function upstreamOf<Native>({ options }: GatewayContext<Native>, target: RouteTarget): Upstream {
  const upstream = options.upstreams[target.upstream]
  if (upstream !== undefined) return upstream
  throw new HubError('api_error', `upstream ${target.upstream}: not configured`)
}

/** How the calls of an exchange are tried again. */
export function sendContext<Native>({ context, reporter, waiting }: ActiveExchange<Native>): SendContext {
  return {
    retries: context.retries,
    now: () => context.watchdog.now(),
    sleep: (milliseconds) => waiting.sleep(milliseconds),
    onRetry: (error, pause) => reporter.retried(error, pause),
  }
}
