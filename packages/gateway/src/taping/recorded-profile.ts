import { type DialectName, Memo, type Profile, profileFor, providerNamed, spokenBy } from '@hydra/core'
import type { RecordedVia } from './traffic.ts'

/** How many models of one profile are remembered. */
const MAX_MODELS = 256

type Overrides = Readonly<Record<string, unknown>>

const known = new WeakMap<Profile, Memo<string, { readonly overrides: Overrides | undefined }>>()

/** The name of a profile, and what it says of a model beyond the preset of that name. */
export function recordedProfile(
  { dialect, profile }: { readonly dialect: DialectName; readonly profile: Profile },
  model: string,
): Pick<RecordedVia, 'profile' | 'overrides'> {
  const overrides = overridesOf(profile, dialect, model)
  return overrides === undefined ? { profile: profile.name } : { profile: profile.name, overrides }
}

function overridesOf(profile: Profile, dialect: DialectName, model: string): Overrides | undefined {
  let models = known.get(profile)
  if (models === undefined) known.set(profile, (models = new Memo(MAX_MODELS)))
  let entry = models.get(model)
  if (entry === undefined) models.set(model, (entry = { overrides: differences(profile, dialect, model) }))
  return entry.overrides
}

function differences(profile: Profile, dialect: DialectName, model: string): Overrides | undefined {
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
