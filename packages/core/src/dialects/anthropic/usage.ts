import type { HubUsage } from '../../hub/usage.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'

/** The counts in a `usage`; one that is no number is as good as missing. Everything else in it is passed on. */
export function countsIn(usage: unknown): Partial<HubUsage> {
  if (!isJsonObject(usage)) return {}
  const reported = Object.entries(usage).filter(([field, value]) => isReported(field, value))
  return Object.fromEntries(reported)
}

function isReported(field: string, value: unknown): boolean {
  if (field.endsWith('_tokens')) return isCount(value)
  if (field === 'output_tokens_details') return isJsonObject(value) && hasCounts(value)
  return value !== null && value !== undefined
}

function hasCounts(details: JsonObject): boolean {
  return Object.values(details).every((value) => value === null || isCount(value))
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
