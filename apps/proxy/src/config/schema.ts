import { type ProfileName, profiles } from '@hydra/core'
import {
  address,
  type AllowedNames,
  anyDuration,
  breaker,
  type BreakerOptions,
  byName,
  dialectName,
  duration,
  type Extended,
  fields,
  flag,
  fullList,
  guardEntries,
  keyEntries,
  type KeyOptions,
  type LimitOptions,
  limits,
  list,
  loopGuardEntries,
  type LoopLimits,
  matching,
  named,
  oneOf,
  retries,
  type RetryOptions,
  route,
  type SharedUpstreamOptions,
  someNumber,
  someText,
  text,
  timeoutEntries,
  type TimeoutOptions,
  upstreamEntries,
  wholeNumber,
} from '@hydra/gateway/schema'
import { MAX_DOLLARS, MAX_LIMIT } from '@hydra/team'
import * as v from 'valibot'
import { type ConfiguredOverrides, overrides } from './overrides-schema.ts'

/** Where a key is; keys themselves are never written into a configuration. */
const reference = matching(
  /^(?:env:[A-Za-z_][A-Za-z0-9_]*|file:\/.+)$/,
  'expected env:NAME, the name of an environment variable, or file:/PATH',
)

const profileNames = Object.keys(profiles) as ProfileName[]

/** One of several keys of an upstream. */
export const upstreamKey = fields({
  /** `env:NAME` or `file:/PATH`. */
  key: reference,
  ...keyEntries,
})

/** One of several keys of an upstream. */
export interface ConfiguredUpstreamKey extends Extended<KeyOptions, typeof upstreamKey> {}

/** An upstream. */
export const upstream = fields({
  /** The protocol it speaks; by default the one that its provider wants for the models of the routes. */
  dialect: v.optional(dialectName),
  /** A base URL, or the full address of the endpoint; by default the provider's. No user and no password in it. */
  url: v.optional(address),
  /** `env:NAME`, the environment variable with its key, or `file:/PATH`; never the key itself. By default the provider's variable. */
  key: v.optional(reference),
  /** Several keys that take turns, in place of `key`. */
  keys: v.optional(fullList(named<ConfiguredUpstreamKey>(upstreamKey))),
  /** What the provider does differently; by default the upstream's own name if it is a provider's, else `generic`. */
  profile: v.optional(oneOf(...profileNames)),
  /** What it does otherwise than its profile says; `null` takes away what the profile has. */
  overrides: v.optional(named<ConfiguredOverrides>(overrides)),
  ...upstreamEntries,
})

/** An upstream as the configuration writes it. */
export interface ConfiguredUpstream extends Readonly<Extended<SharedUpstreamOptions, typeof upstream>> {}

/** What a key may spend in a calendar period (UTC): tokens or dollars. */
export const budget = fields({
  /** How long a period is; it begins at midnight UTC, weeks on Monday. */
  per: oneOf('day', 'week', 'month'),
  /** Tokens of a period. */
  tokens: v.optional(wholeNumber({ min: 0, max: MAX_LIMIT })),
  /** Or US dollars at list price. */
  dollars: v.optional(someNumber({ min: 0, max: MAX_DOLLARS })),
})

/** What a key may spend in a calendar period (UTC): tokens or dollars. */
export interface ConfiguredBudget extends Readonly<v.InferInput<typeof budget>> {}

const perMinute = wholeNumber({ min: 1, max: MAX_LIMIT })

/** A client's key. */
export const clientKey = fields({
  /** What log lines call it. */
  name: someText,
  /** SHA-256 of the key, in hexadecimal digits: `hydra keys hash` prints it. */
  hash: matching(/^[0-9a-f]{64}$/, 'expected the hash of a key, as hydra keys hash prints it'),
  /** What its use is counted under; by default its name. */
  id: v.optional(someText),
  /** Whose key it is. */
  owner: v.optional(text),
  /** Anything else to know it by. */
  labels: v.optional(byName(text)),
  /** An ISO date after which it is refused. */
  expires: v.optional(matching(/^\d{4}-\d\d-\d\d/, 'expected a date such as 2027-01-31')),
  /** What it may ask for; `*` stands for any characters. */
  models: v.optional(fullList(someText)),
  /** The names of the routes it may take. */
  routes: v.optional(fullList(someText)),
  /** Requests that may begin in a minute. */
  requestsPerMinute: v.optional(perMinute),
  /** Tokens that may be used in a minute. */
  tokensPerMinute: v.optional(perMinute),
  /** Requests under way at the same time. */
  streams: v.optional(perMinute),
  /** What it may spend. */
  budgets: v.optional(list(named<ConfiguredBudget>(budget))),
})

/** A client's key as the configuration writes it: `hydra keys hash` gives its hash. */
export interface ConfiguredKey extends Readonly<v.InferInput<typeof clientKey>> {}

/** How the replicas of a team share a store. */
export const team = fields({
  /** Among how many replicas rates are shared while the store is gone (1). */
  replicas: v.optional(wholeNumber({ min: 1 })),
  /** What keys with a budget may do while the store is gone: nothing (closed, the default) or everything (open). */
  budgetsWithoutStore: v.optional(oneOf('closed', 'open')),
  /** For how many milliseconds what a crashed replica had reserved counts (60000). */
  lease: v.optional(wholeNumber({ min: 1000, max: 3_600_000 })),
})

/** How long things may take, in milliseconds. */
export const timeouts = fields({
  /** To open a connection to an upstream (10000). */
  connect: v.optional(duration),
  ...timeoutEntries,
  /** For streams to finish after the first signal (30000). */
  drain: v.optional(anyDuration),
})

/** How long things may take, in milliseconds. */
export interface ConfiguredTimeouts extends Readonly<Extended<TimeoutOptions, typeof timeouts>> {}

/** What is done when a conversation runs in circles. */
export const loopGuard = fields({
  /** Look for nothing, say so in the log, tell the model, or end the turn. */
  mode: oneOf('off', 'warn', 'notify', 'stop'),
  ...loopGuardEntries,
})

/** What is done about loops, as the configuration writes it. */
export interface ConfiguredLoopGuard extends Readonly<Extended<LoopLimits, typeof loopGuard>> {}

const price = someNumber({ min: 0 })

/** US dollars per million tokens. */
export const modelPrices = fields({
  /** What is neither read from a cache nor written to one. */
  input: price,
  /** What the model writes, reasoning included. */
  output: price,
  /** Read from a cache; by default as `input`. */
  cacheRead: v.optional(price),
  /** Written to a cache; by default as `input`. */
  cacheWrite: v.optional(price),
  /** Written to a cache that is kept for an hour; by default as `cacheWrite`. */
  cacheWrite1h: v.optional(price),
  /** The part of the output that is reasoning; by default as `output`. */
  reasoning: v.optional(price),
})

/** US dollars per million tokens. */
export interface ConfiguredModelPrices extends Readonly<v.InferInput<typeof modelPrices>> {}

/** The configuration of the proxy: its types, `hydra.schema.json` and its checks come from here. */
export const config = fields({
  /** Where editors find `hydra.schema.json`; the proxy does not look there. */
  $schema: v.optional(text),
  /** The port to listen on (3456); 0 takes any that is free. */
  port: v.optional(wholeNumber({ min: 0, max: 65_535 })),
  /** The address to listen on (127.0.0.1); off loopback a key is needed. */
  host: v.optional(text),
  /** How many processes serve (1), at most 256. */
  workers: v.optional(wholeNumber({ min: 1, max: 256 })),
  /** Where the key is that clients must bring: `env:NAME` or `file:/PATH`. */
  key: v.optional(reference),
  /** Keys of single clients; others are in the store. */
  keys: v.optional(list(named<ConfiguredKey>(clientKey))),
  /** Where keys, budgets and usage are kept: `file:PATH`, `redis://HOST`, `memory`, or `env:NAME`. */
  store: v.optional(
    matching(
      /^(?:memory$|file:.|(?:redis|valkey)s?(?:-cluster)?:\/\/.|env:[A-Za-z_])/,
      'expected memory, file:PATH, redis://HOST or env:NAME',
    ),
  ),
  /** How the replicas of a team share a store. */
  team: v.optional(team),
  ...guardEntries,
  /** The providers that can be called, by a name of your own. */
  upstreams: v.optional(byName(named<ConfiguredUpstream>(upstream))),
  /** Where requests go: the first route that matches. */
  routes: v.optional(list(route)),
  /** The names that `GET /v1/models` lists; by default those that the routes name. */
  models: v.optional(list(text)),
  /** How long things may take, in milliseconds. */
  timeouts: v.optional(named<ConfiguredTimeouts>(timeouts)),
  /** Tries before the first byte. */
  retries: v.optional(named<RetryOptions>(retries)),
  /** The largest things that are read. */
  limits: v.optional(named<LimitOptions>(limits)),
  /** When an upstream that keeps failing is left alone for a while. */
  breaker: v.optional(named<BreakerOptions>(breaker)),
  /** Whether `/_hydra/` shows what happens, on a page (true). */
  inspector: v.optional(flag),
  /** What is done when a conversation runs in circles. */
  loopGuard: v.optional(named<ConfiguredLoopGuard>(loopGuard)),
  /** Prices of your own, by the name of the upstream and then by model, in which `*` stands for any characters; they count more than the providers' lists. */
  prices: v.optional(byName(byName(named<ConfiguredModelPrices>(modelPrices)))),
  /** Whether `GET /metrics` answers with figures for Prometheus (false). */
  metrics: v.optional(flag),
})

/** What a configuration says. */
export interface WrittenConfig extends Readonly<Extended<AllowedNames, typeof config>> {}
