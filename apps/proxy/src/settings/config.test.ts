import { readFileSync } from 'node:fs'
import type { BreakerLimits, Limits, Retries, RouteMatch } from '@hydra/gateway'
import { expect, test } from 'vitest'
import {
  type Config,
  type ConfiguredLoopGuard,
  type ConfiguredRoute,
  type ConfiguredTarget,
  type ConfiguredTimeouts,
  type ConfiguredUpstream,
  defineConfig,
} from './config.ts'

/** All keys of a type: one that is missing or too many does not compile. */
type Keys<Type> = Readonly<Record<keyof Type, true>>

const CONFIG: Keys<Config> = {
  port: true,
  host: true,
  workers: true,
  key: true,
  hosts: true,
  origins: true,
  upstreams: true,
  routes: true,
  models: true,
  timeouts: true,
  retries: true,
  limits: true,
  breaker: true,
  loopGuard: true,
}
const TIMEOUTS: Keys<ConfiguredTimeouts> = {
  connect: true,
  firstByte: true,
  idle: true,
  keepAlive: true,
  grace: true,
  drain: true,
}
const RETRIES: Keys<Retries> = { times: true, budget: true, pause: true }
const LIMITS: Keys<Limits> = { body: true }
const BREAKER: Keys<BreakerLimits> = {
  consecutive: true,
  share: true,
  leastCalls: true,
  window: true,
  rest: true,
}
const LOOP_GUARD: Keys<ConfiguredLoopGuard> = {
  mode: true,
  repeats: true,
  rounds: true,
  similar: true,
  exemptTools: true,
}
const UPSTREAM: Keys<ConfiguredUpstream> = {
  dialect: true,
  url: true,
  key: true,
  profile: true,
  overrides: true,
  headers: true,
  breaker: true,
}
const TARGET: Keys<ConfiguredTarget> = { upstream: true, model: true }
const ROUTE: Keys<ConfiguredRoute> = {
  name: true,
  match: true,
  upstream: true,
  model: true,
  models: true,
  spoof: true,
  passthrough: true,
  timeouts: true,
  fallbacks: true,
}
const MATCH: Keys<RouteMatch> = {
  models: true,
  marker: true,
  header: true,
  minBytes: true,
  maxBytes: true,
  hasTools: true,
  hasImages: true,
}

interface Schema {
  readonly properties: Readonly<Record<string, Schema>>
  readonly definitions: Readonly<Record<string, Schema>>
}

const { properties, definitions } = JSON.parse(
  readFileSync(new URL('../../hydra.schema.json', import.meta.url), 'utf8'),
) as Schema

test.each<[string, Schema | undefined, object]>([
  ['timeouts', properties['timeouts'], TIMEOUTS],
  ['retries', properties['retries'], RETRIES],
  ['limits', properties['limits'], LIMITS],
  ['breaker', properties['breaker'], BREAKER],
  ['loopGuard', properties['loopGuard'], LOOP_GUARD],
  ['an upstream', definitions['upstream'], UPSTREAM],
  ['a target', definitions['target'], TARGET],
  ['a route', definitions['route'], ROUTE],
  ['a match', definitions['match'], MATCH],
  ['the configuration', { properties, definitions }, { $schema: true, ...CONFIG }],
])('types and schema have the same keys: %s', (_name, schema, keys) => {
  expect(Object.keys(schema?.properties ?? {}).toSorted()).toEqual(Object.keys(keys).toSorted())
})

test('a configuration keeps its value and gets its types', () => {
  const config = { upstreams: { groq: {} }, routes: [{ upstream: 'groq', model: 'm' }] } as const
  expect(defineConfig(config)).toBe(config)
  // @ts-expect-error -- there is no such upstream
  defineConfig({ upstreams: { groq: {} }, routes: [{ upstream: 'grok' }] })
  // @ts-expect-error -- there is no such profile
  defineConfig({ upstreams: { groq: { profile: 'grok' } } })
  // @ts-expect-error -- it is misspelt
  defineConfig({ prot: 1 })
})
