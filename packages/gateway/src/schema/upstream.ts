import { type DialectName, type Profile, type Provider, registry } from '@hydra/core'
import * as v from 'valibot'
import type { Secret } from '../secret.ts'
import { type Extended, fields, named, type Written } from './fields.ts'
import {
  byName,
  expectedOneOf,
  flag,
  fullList,
  matching,
  oneOf,
  someText,
  text,
  wholeNumber,
} from './values.ts'

/** A dialect that upstreams can be called in, also one that was registered since. */
export const dialectName: v.GenericSchema<DialectName> = v.pipe(
  text,
  v.check(isDialect, ({ input }) => expectedOneOf(dialects(), input)),
)

function dialects(): readonly string[] {
  return registry.upstreams.map(({ name }) => name)
}

function isDialect(name: string): boolean {
  return dialects().includes(name)
}

/** The keys of an upstream that options and configuration files share. */
export const upstreamEntries = {
  /** Headers that go along with every call; not for keys. */
  headers: v.optional(
    byName(
      matching(/^(?!env:)[ -~]*$/, 'expected plain text; only key can be env:NAME'),
      matching(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'expected the name of a header'),
    ),
  ),
  /** Has every request translated, also where a client speaks the same dialect. */
  translate: v.optional(oneOf('always')),
  /** Whether it is left alone for a while when it keeps failing; by default where a route has a fallback for it. */
  breaker: v.optional(flag),
}

/** What upstreams of options and of configuration files share. */
export interface SharedUpstreamOptions extends Written<typeof upstreamEntries> {}

/** The keys of one of several keys of an upstream, beside the key itself. */
export const keyEntries = {
  /** What reports call it; by default `key 1`, `key 2` … */
  label: v.optional(someText),
  /** How often it is its turn, compared with the others (1). */
  weight: v.optional(wholeNumber({ min: 1, max: 1000 })),
}

/** What is said of one of several keys of an upstream, beside the key itself. */
export interface KeyOptions extends Written<typeof keyEntries> {}

/** The address of an upstream. */
export const address: v.GenericSchema<string> = matching(/^https?:\/\//, 'expected an http or https address')

const EMPTY = 'the Secret holds nothing: is the variable set that it is made of?'

/** A key in code: never the bare string, which would be printed by accident. */
export const secret: v.GenericSchema<Secret> = v.pipe(
  v.custom<Secret>(isSecret, ({ input }) =>
    typeof input === 'string'
      ? 'expected new Secret(…), got a string, which logs and errors would show'
      : 'expected new Secret(…)',
  ),
  // Not by its type: a program in JavaScript gives what its environment has.
  v.check((key) => typeof (key.reveal() as unknown) === 'string', EMPTY),
)

/** A key that clients must bring: who sends none would be let in by an empty one. */
export const clientSecret: v.GenericSchema<Secret> = v.pipe(
  secret,
  v.check((key) => key.reveal() !== '', EMPTY),
)

/** Not by its class: a program may have this package twice. */
function isSecret(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && 'reveal' in value && typeof value.reveal === 'function'
  )
}

const profile: v.GenericSchema<Profile> = v.custom<Profile>(isProfile, ({ input }) =>
  typeof input === 'string'
    ? 'expected a profile such as profiles.generic of @hydra/core, got a name'
    : 'expected a profile such as profiles.generic of @hydra/core',
)

function isProfile(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return 'name' in value && 'models' in value && Array.isArray(value.models) && 'keyHeader' in value
}

const provider: v.GenericSchema<Provider> = v.custom<Provider>(isProvider, ({ input }) =>
  typeof input === 'string'
    ? 'expected a provider such as providers.generic of @hydra/core, got a name'
    : 'expected a provider such as providers.generic of @hydra/core',
)

function isProvider(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'speaks' in value && Array.isArray(value.speaks)
}

/** One of several keys of an upstream. */
export const upstreamKey = fields({
  /** As `new Secret(…)`. */
  key: secret,
  ...keyEntries,
})

/** One of several keys of an upstream. */
export interface UpstreamKeyOptions extends Extended<KeyOptions, typeof upstreamKey> {}

const commonEntries = {
  ...upstreamEntries,
  /** Its key; what passes unchanged needs none, because the client brings its own. */
  key: v.optional(secret),
  /** Several keys that take turns, in place of `key`. */
  keys: v.optional(fullList(named<UpstreamKeyOptions>(upstreamKey))),
}

/** What upstreams of both forms say. */
interface CommonOptions
  extends SharedUpstreamOptions, Omit<Written<typeof commonEntries>, keyof SharedUpstreamOptions> {}

/** An upstream that says itself what it is. */
export const plainUpstream = fields({
  /** The protocol it speaks. */
  dialect: dialectName,
  /** A base URL such as `http://127.0.0.1:11434/v1`, or the full address of the endpoint. */
  url: address,
  /** What it does differently, as data. */
  profile,
  ...commonEntries,
})

/** An upstream that says itself what it is. */
export interface PlainUpstreamOptions extends Readonly<Extended<CommonOptions, typeof plainUpstream>> {}

/** An upstream of a known provider; `openai()` and its like make one. */
export const providedUpstream = fields({
  /** Who it is: what is left out is as it says. */
  provider,
  /** The protocol it speaks; by default the one that the provider wants for the models of the routes. */
  dialect: v.optional(dialectName),
  /** A base URL, or the full address of the endpoint; by default the provider's. */
  url: v.optional(address),
  /** What it does differently, as data; by default what is known of the provider. */
  profile: v.optional(profile),
  ...commonEntries,
})

/** An upstream of a known provider: what it leaves out is as the provider says. */
export interface ProvidedUpstreamOptions extends Readonly<Extended<CommonOptions, typeof providedUpstream>> {}

/** Whether an upstream leaves it to its provider what it is. */
function isProvided(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'provider' in value
}

/** An upstream of either form; which one it is meant to be is told by its `provider`. */
export const upstream: v.GenericSchema<PlainUpstreamOptions | ProvidedUpstreamOptions> = v.lazy(
  (value) => formOf(value) as never,
)

function formOf(value: unknown): v.GenericSchema {
  if (typeof value === 'function')
    return v.never('expected an upstream, got a function: call it, as in ollama()')
  if (typeof value === 'string') return v.never('expected an upstream such as ollama(), got a name')
  if (isEmpty(value)) return v.never('expected an upstream such as ollama(), got an empty object')
  return isProvided(value) ? providedUpstream : plainUpstream
}

/** In configuration files that is enough where the name is a provider's. */
function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

type AnyUpstreamOptions = PlainUpstreamOptions | ProvidedUpstreamOptions

const byTheirNames = byName(upstream)

/** Upstreams by their names. */
export const upstreams: v.GenericSchema<Readonly<Record<string, AnyUpstreamOptions>>> = v.lazy((value) => {
  const got = gotInstead(value)
  return got === undefined
    ? byTheirNames
    : v.never(`expected upstreams by name, such as { openai: openai() }, got ${got}`)
})

/** What is given in place of an object of upstreams, each key of which would be a fault. */
function gotInstead(value: unknown): string | undefined {
  if (Array.isArray(value)) return 'a list'
  if (typeof value !== 'object' || value === null) return undefined
  const isOne =
    ('provider' in value && isProvider(value.provider)) ||
    ('dialect' in value && typeof value.dialect === 'string')
  return isOne ? 'an upstream without one' : undefined
}
