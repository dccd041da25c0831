import type { DialectName } from '../dialects/registry.ts'
import { registry } from '../dialects/registry.ts'
import type { Profile } from '../profiles/profile.ts'

/** Who is called: where it is found, where its key is, and what it speaks. */
export interface Provider {
  /** What log lines and messages call it. */
  readonly name: string
  /** What OpenTelemetry's conventions call it, where that is another name. */
  readonly telemetryName?: string
  /** Its base URL; a server that is run by its users has none. */
  readonly url?: string
  /** The environment variable with its key; servers on one's own machine need none. */
  readonly keyVariable?: string
  /** What it speaks. The first that takes a model is the one that the provider wants for it. */
  readonly speaks: readonly [SpokenDialect, ...SpokenDialect[]]
}

/** One dialect of a provider, and what the provider does differently in it. */
export interface SpokenDialect {
  /** The protocol. */
  readonly dialect: DialectName
  /** What the provider does differently in it, as data. */
  readonly profile: Profile
  /** Where it is spoken, if not at the provider's own URL. */
  readonly url?: string
  /** The models for which it is the one to take; all if absent. */
  readonly models?: RegExp
}

/** The dialect in which a provider wants to be called for a model. */
export function dialectFor({ speaks }: Provider, model: string): DialectName {
  const wanted = speaks.find(({ models }) => models === undefined || models.test(model))
  return (wanted ?? speaks[0]).dialect
}

/** How a provider is called in a dialect, also in one that it is not known to speak. */
export function spokenBy({ name, url, speaks }: Provider, dialect: DialectName): SpokenDialect {
  const spoken = speaks.find((candidate) => candidate.dialect === dialect) ?? {
    dialect,
    profile: { ...registry.upstream(dialect).defaultProfile, name },
  }
  return url === undefined || spoken.url !== undefined ? spoken : { ...spoken, url }
}
