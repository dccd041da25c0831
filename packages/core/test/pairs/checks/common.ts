import { isJsonObject, type JsonObject } from '../../../src/json/json-object.ts'

/** The objects of a list; none where there is no list. */
export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** What is wrong with names of functions: those that are not legal, and those that stand twice. */
export function nameFaults(names: readonly unknown[], legal: RegExp): string[] {
  const illegal = names.filter((name) => typeof name !== 'string' || !legal.test(name))
  const twice = names.filter((name, index) => names.indexOf(name) < index)
  return [
    ...illegal.map((name) => `the name ${String(name)} is not legal`),
    ...twice.map((name) => `two tools have the name ${String(name)}`),
  ]
}

/** Strings that are no Unicode, anywhere in a body. */
export function brokenTexts(body: unknown): string[] {
  return JSON.stringify(body).match(/(?<!\\)(?:\\\\)*\\ud[89a-f][\da-f]{2}/gi) ?? []
}

/** The faults whose condition does not hold. */
export function failing(checks: readonly (readonly [holds: boolean, fault: string])[]): string[] {
  return checks.flatMap(([holds, fault]) => (holds ? [] : [fault]))
}
