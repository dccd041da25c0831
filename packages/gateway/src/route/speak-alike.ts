import type { DialectName } from '@hydra/core'
import { dialectOf } from '../context.ts'
import type { Upstream } from '../options.ts'
import type { Route } from './route.ts'

/** Whether an upstream's answers go to clients of a dialect as they are: both speak it, and no translation is asked for. */
export function speakAlike(route: Route, upstream: Upstream, client: DialectName): boolean {
  if (upstream.dialect !== client || route.spoof !== undefined) return false
  if (route.translate === 'always' || upstream.translate === 'always') return false
  return dialectOf(upstream).relayRequest !== undefined
}
