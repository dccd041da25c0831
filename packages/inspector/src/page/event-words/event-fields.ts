import { isJsonObject } from '@hydra/core'
import { jsonOf, textOf } from '../../summary/json-text.ts'

/** The fields of an event, of which nothing is certain. */
export type Fields = Readonly<Record<string, unknown>>

/** The objects of a list; none where there is no list. */
export function objectsIn(list: unknown): readonly Fields[] {
  return Array.isArray(list) ? list.filter((item) => isJsonObject(item)) : []
}

/** An object's fields; none of what is no object. */
export function fieldsOf(value: unknown): Fields {
  return isJsonObject(value) ? value : {}
}

/** A text as what is said. */
export function quoted(text: string): string {
  return JSON.stringify(text)
}

/** A call of a tool, as far as it is known. */
export function callWords(name: unknown, input: unknown): string {
  const words = textOf(input) ?? (input === undefined ? '' : jsonOf(input))
  return `calls ${textOf(name) ?? ''} ${words}`
}

/** How many tokens were counted. */
export function usageWords(input: unknown, output: unknown): string {
  return `usage ${jsonOf(input)} in, ${jsonOf(output)} out`
}

/** The message of an error. */
export function errorWords(error: unknown): string | undefined {
  return textOf(error) ?? textOf(fieldsOf(error)['message'])
}
