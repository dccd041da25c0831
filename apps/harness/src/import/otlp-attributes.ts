import { isJsonObject } from '@hydra/core'
import { parseText, textOf } from '@hydra/inspector/summary'

/** Attributes by their names, as plain values. */
export type Attributes = ReadonlyMap<string, unknown>

/** The attributes of a span, an event or a log record in the JSON form of OTLP. */
export function attributesOf(list: unknown): Attributes {
  const entries: unknown[] = Array.isArray(list) ? list : []
  return new Map(
    entries.flatMap((entry) => {
      const key = isJsonObject(entry) ? textOf(entry['key']) : undefined
      return key === undefined || !isJsonObject(entry) ? [] : [[key, plainValue(entry['value'])] as const]
    }),
  )
}

/** A value of OTLP, which names its type: `{"stringValue":"x"}`; 64-bit numbers are texts there. */
function plainValue(value: unknown): unknown {
  if (!isJsonObject(value)) return undefined
  const { stringValue, boolValue, doubleValue, intValue, arrayValue, kvlistValue } = value
  if (intValue !== undefined) return Number(intValue)
  if (isJsonObject(arrayValue)) return listOf(arrayValue['values']).map(plainValue)
  if (isJsonObject(kvlistValue)) return Object.fromEntries(attributesOf(kvlistValue['values']))
  return stringValue ?? boolValue ?? doubleValue
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** The text of an attribute; one that is empty says nothing. */
export function textAt(attributes: Attributes, ...names: readonly string[]): string | undefined {
  const found = names.map((name) => attributes.get(name)).find((value) => textOf(value) !== undefined)
  return textOf(found) || undefined
}

/** The number of an attribute. */
export function numberAt(attributes: Attributes, ...names: readonly string[]): number | undefined {
  const found = names.map((name) => attributes.get(name)).find((value) => typeof value === 'number')
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined
}

/** A list that is an attribute: as such, or as a text of JSON, which most instrumentations write. */
export function listAt(attributes: Attributes, name: string): readonly unknown[] | undefined {
  const value = attributes.get(name)
  const list = typeof value === 'string' ? parseText(value) : value
  return Array.isArray(list) ? list : undefined
}

/** A time of OTLP, nanoseconds since 1970 in a text, in microseconds; 0 stands for none. */
export function timeOf(nanoseconds: unknown): number | undefined {
  const digits = typeof nanoseconds === 'number' ? String(nanoseconds) : textOf(nanoseconds)
  if (digits === undefined || !/^[1-9]\d{3,19}$/.test(digits)) return undefined
  return Math.floor(Number(digits.slice(0, -3)))
}
