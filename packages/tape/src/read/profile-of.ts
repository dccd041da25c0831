import { isJsonObject, type Profile, providerNamed, registry, spokenBy } from '@hydra/core'
import type { Via } from '../format/lines.ts'

/** The profile under which an upstream was called, or why there is none. */
export function profileOf({ dialect, profile: name, overrides = {} }: Via): Profile | string {
  const upstream = registry.get(dialect)?.upstream
  if (upstream === undefined) return `there is no dialect '${dialect}'`
  const base = presetOf(dialect, name ?? upstream.defaultProfile.name, overrides)
  if (base === undefined) return `there is no profile '${name}' any more`
  const differing = differences(base, overrides)
  if (Object.keys(differing).length === 0) return base
  // They were found after the rules for models had been applied, so they come after them again.
  return { ...base, ...differing, models: [...base.models, { pattern: /^/, overrides: differing }] }
}

function presetOf(dialect: string, name: string, overrides: Overrides): Profile | undefined {
  const provider = providerNamed(name)
  if (provider !== undefined) return spokenBy(provider, dialect).profile
  const { defaultProfile } = registry.upstream(dialect)
  return isComplete(overrides, defaultProfile) ? { ...defaultProfile, name } : undefined
}

/** A custom profile is on the tape with every field that it has. */
function isComplete(overrides: Overrides, defaults: Profile): boolean {
  return Object.entries(defaults).every(
    ([field, value]) => field === 'name' || field === 'models' || value === undefined || field in overrides,
  )
}

type Overrides = NonNullable<Via['overrides']>

function differences(base: Profile, overrides: Overrides): Partial<Profile> {
  const known = Object.entries(overrides).filter(
    ([field]) => Object.hasOwn(base, field) && field !== 'models' && field !== 'name',
  )
  return Object.fromEntries(known.map(([field, value]) => [field, revived(field, value, base)]))
}

/** JSON knows neither patterns nor the absence of a value. */
function revived(field: string, value: unknown, { callIds }: Profile): unknown {
  if (field === 'callIds' && isJsonObject(value)) return { ...value, pattern: callIds.pattern }
  return value === null && field !== 'contentBesideCalls' ? undefined : value
}
