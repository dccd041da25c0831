export { checkRoutes, type KnownUpstreams, namedRoutes, unknownUpstream } from './check-routes.ts'
export { faultAt, type Fault, faultsOf, type OptionPath, shownPath } from './fault.ts'
export { type Extended, fields, named, type Written } from './fields.ts'
export { type AllowedNames, guardEntries } from './guard.ts'
export {
  breaker,
  type BreakerOptions,
  type LimitOptions,
  limits,
  loopGuardEntries,
  type LoopLimits,
  retries,
  type RetryOptions,
  timeoutEntries,
  type TimeoutOptions,
} from './limits.ts'
export { header, match, route, routeTimeouts, target, type TargetOptions } from './route.ts'
export {
  address,
  dialectName,
  keyEntries,
  type KeyOptions,
  type SharedUpstreamOptions,
  upstreamEntries,
} from './upstream.ts'
export {
  anyDuration,
  byName,
  duration,
  flag,
  fullList,
  list,
  matching,
  oneOf,
  someNumber,
  someText,
  text,
  wholeNumber,
} from './values.ts'
export { faultOfAddress } from '../upstream/address-fault.ts'
export { dialectAt, dialectForModels, modelsAskedOf, noAddressOf } from '../upstream/complete-upstream.ts'
