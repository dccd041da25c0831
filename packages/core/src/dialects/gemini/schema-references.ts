import { localTarget } from '../../encode/local-reference.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'

/** Keywords without a meaning for the answer: nothing is lost with them. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$schema',
  '$comment',
  'examples',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
])

/** A schema in which each definition refers to others twice would grow without an end. */
const MAX_OPENED = 200

/** Where Google looks for what a reference means. */
const KEPT = /^#\/(?:\$defs|definitions)\//

/** A schema with what it refers to in the place of the references. */
interface Opened {
  /** What it says itself, and in `allOf` what it referred to. */
  readonly schema: JsonObject
  /** The references as they are inside of it. */
  readonly inside: References
}

/**
 * The references of one schema. Google takes nothing beside a reference and merges none, so those that have something
 * beside them are replaced by what they refer to; others stay, and so do those that lead back to themselves.
 */
export class References {
  readonly #root: JsonObject
  readonly #open: readonly string[]
  readonly #count: { opened: number }

  constructor(root: JsonObject, open: readonly string[] = [], count = { opened: 0 }) {
    this.#root = root
    this.#open = open
    this.#count = count
  }

  /** The schema without its references, if some have to go and can. */
  open(schema: JsonObject): Opened | undefined {
    // Most schemas have neither, and this is asked of each.
    if (schema['$ref'] === undefined && schema['allOf'] === undefined) return undefined
    const { $ref: own, allOf, ...rest } = schema
    const parts: readonly unknown[] = Array.isArray(allOf) ? allOf : []
    const all = own === undefined ? parts : [{ $ref: own }, ...parts]
    const isAlone = all.length === 1 && !Object.keys(rest).some(saysSomething)
    const open: string[] = []
    const opened = all.map((part) => {
      const reference = isJsonObject(part) ? part['$ref'] : undefined
      if (typeof reference !== 'string' || (isAlone && KEPT.test(reference))) return part
      const target = this.#target(reference)
      if (target === undefined) return part
      open.push(reference)
      return beside(part as JsonObject, target)
    })
    if (open.length === 0) return undefined
    const inside = new References(this.#root, [...this.#open, ...open], this.#count)
    return { schema: { ...rest, allOf: opened }, inside }
  }

  #target(reference: string): JsonObject | undefined {
    if (this.#open.includes(reference) || this.#count.opened >= MAX_OPENED) return undefined
    const target = localTarget(this.#root, reference)
    if (target !== undefined) this.#count.opened += 1
    return target
  }
}

function beside({ $ref: _opened, ...words }: JsonObject, target: JsonObject): JsonObject {
  return { ...target, ...words }
}

function saysSomething(keyword: string): boolean {
  return !keyword.startsWith('$') && !ANNOTATIONS.has(keyword)
}
