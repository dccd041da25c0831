import { type Profile, type ProfileName, profiles } from '@hydra/core'
import type { Via } from '../format/lines.ts'
import { isRecord } from '../match/first-difference.ts'

/** The profile under which an upstream was called, or why there is none. */
export function profileOf({ profile: name = 'generic', overrides = {} }: Via): Profile | string {
  const preset = Object.hasOwn(profiles, name) ? profiles[name as ProfileName] : undefined
  if (preset === undefined && !isComplete(overrides)) return `there is no profile '${name}' any more`
  const base = preset ?? { ...profiles.generic, name }
  const differing = differences(base, overrides)
  if (Object.keys(differing).length === 0) return base
  // They were found after the rules for models had been applied, so they come after them again.
  return { ...base, ...differing, models: [...base.models, { pattern: /^/, overrides: differing }] }
}

/** A profile of somebody's own is on the tape with every field that it has. */
function isComplete(overrides: NonNullable<Via['overrides']>): boolean {
  return Object.entries(profiles.generic).every(
    ([field, value]) => field === 'name' || field === 'models' || value === undefined || field in overrides,
  )
}

function differences(base: Profile, overrides: NonNullable<Via['overrides']>): Partial<Profile> {
  const known = Object.entries(overrides).filter(
    ([field]) => Object.hasOwn(base, field) && field !== 'models' && field !== 'name',
  )
  return Object.fromEntries(known.map(([field, value]) => [field, revived(field, value, base)]))
}

/** JSON knows neither patterns nor the absence of a value. */
function revived(field: string, value: unknown, { callIds }: Profile): unknown {
  if (field === 'callIds' && isRecord(value)) return { ...value, pattern: callIds.pattern }
  return value === null && field !== 'contentBesideCalls' ? undefined : value
}
