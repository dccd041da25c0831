import * as v from 'valibot'
import { fields, named } from './fields.ts'
import { guard, type GuardOptions } from './guard.ts'
import {
  breaker,
  type BreakerOptions,
  type LimitOptions,
  limits,
  loopGuard,
  memory,
  retries,
  type RetryOptions,
  type TimeoutOptions,
  timeouts,
} from './limits.ts'
import { route } from './route.ts'
import { upstreams } from './upstream.ts'
import { flag, list, someText, text } from './values.ts'

const hook = v.function('expected a function')

/** Something with methods; what it does is its maker's affair. */
const part = v.custom<object>((value) => typeof value === 'object' && value !== null, 'expected an object')

/** What a gateway remembers by, or how much it may remember itself. */
const memoryOrLimits = v.lazy((value) =>
  typeof value === 'object' && value !== null && ('get' in value || 'recall' in value) ? part : memory,
)

/** The options of a gateway that are data: their types are taken from here. */
export const dataEntries = {
  /** The names `GET /v1/models` lists; by default those that the routes name. */
  models: v.optional(list(text)),
  /** What keeps strangers and web pages away from a gateway that is a server of its own. */
  guard: v.optional(named<GuardOptions>(guard)),
  /** How long things may take, in milliseconds. */
  timeouts: v.optional(named<TimeoutOptions>(timeouts)),
  /** How often and how long a call is tried again before its first byte reached the client. */
  retries: v.optional(named<RetryOptions>(retries)),
  /** The largest things that are read. */
  limits: v.optional(named<LimitOptions>(limits)),
  /** When an upstream that keeps failing is left alone for a while. */
  breaker: v.optional(named<BreakerOptions>(breaker)),
  /** Adds to each report what was translated into what, message by message. */
  traces: v.optional(flag),
}

/** All options of a gateway. What only programs can give is checked for being there and of the right kind. */
export const options = fields({
  ...dataEntries,
  upstreams,
  routes: v.optional(list(route)),
  model: v.optional(someText),
  loopGuard: v.optional(loopGuard),
  memory: v.optional(memoryOrLimits),
  authorize: v.optional(hook),
  limiter: v.optional(part),
  rests: v.optional(part),
  onExchange: v.optional(hook),
  observers: v.optional(list(part)),
  metrics: v.optional(hook),
  sessions: v.optional(hook),
  prices: v.optional(part),
  traffic: v.optional(part),
  inspector: v.optional(part),
  transport: v.optional(part),
  newId: v.optional(hook),
})
