import { shortened } from '@hydra/cli'

/** Longer texts are cut: names of fields and models are their sender's to choose. */
const MAX_TEXT_LENGTH = 1000

/** A value of JSON as it may appear in a log: with all that it has, but without texts of any length. */
export function boundedValue(value: unknown): unknown {
  if (typeof value === 'string') return shortened(value, MAX_TEXT_LENGTH)
  if (Array.isArray(value)) return value.map(boundedValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [shortened(key, MAX_TEXT_LENGTH), boundedValue(inner)]),
  )
}
