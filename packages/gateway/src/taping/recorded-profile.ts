import { type DialectName, type Profile, profileFor, providerNamed, spokenBy } from '@hydra/core'
import type { RecordedVia } from './traffic.ts'

const known = new WeakMap<Profile, Map<string, Readonly<Record<string, unknown>> | undefined>>()

/** The name of a profile, and what it says of a model beyond the preset of that name. */
export function recordedProfile(
  { dialect, profile }: { readonly dialect: DialectName; readonly profile: Profile },
  model: string,
): Pick<RecordedVia, 'profile' | 'overrides'> {
  const overrides = overridesOf(profile, dialect, model)
  return overrides === undefined ? { profile: profile.name } : { profile: profile.name, overrides }
}

function overridesOf(
  profile: Profile,
  dialect: DialectName,
  model: string,
): Readonly<Record<string, unknown>> | undefined {
  let models = known.get(profile)
  if (models === undefined) known.set(profile, (models = new Map()))
  if (!models.has(model)) models.set(model, differences(profile, dialect, model))
  return models.get(model)
}

function differences(
  profile: Profile,
  dialect: DialectName,
  model: string,
): Readonly<Record<string, unknown>> | undefined {
  const provider = providerNamed(profile.name)
  const preset = provider && spokenBy(provider, dialect).profile
  const expected = preset === undefined ? {} : fieldsOf(profileFor(preset, model))
  const actual = fieldsOf(profileFor(profile, model))
  const changed = Object.entries(actual).filter(([key, value]) => !isSame(value, expected[key]))
  if (changed.length === 0) return undefined
  // JSON has no word for the absence of a value, and would leave the field out.
  return Object.fromEntries(changed.map(([key, value]) => [key, value ?? null]))
}

/** The rules for models have been applied already, and patterns are no JSON. */
function fieldsOf({ models: _models, ...fields }: Profile): Readonly<Record<string, unknown>> {
  return fields
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
