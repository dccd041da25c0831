import type { JsonObject } from './json-object.ts'

type Container = JsonObject | unknown[]

/** How deep free-form JSON may nest: far beyond honest use, well within every engine's stack. */
export const MAX_JSON_DEPTH = 512

/** Whether a parsed JSON value nests deeper than `MAX_JSON_DEPTH`. */
export function nestsTooDeep(value: unknown): boolean {
  return isContainer(value) && nestsDeeper(value, MAX_JSON_DEPTH)
}

/** Whether all keys and strings of a parsed JSON value, however deep, are free of unpaired surrogates. */
export function isWellFormedJson(value: unknown): boolean {
  const open: unknown[] = [value]
  while (open.length > 0) {
    const item = open.pop()
    if (typeof item === 'string' && !item.isWellFormed()) return false
    if (isContainer(item) && !keepContainers(item, open)) return false
  }
  return true
}

/** Puts what is to be looked into on the list; false where a key or a string beside it is not well-formed. */
function keepContainers(container: Container, open: unknown[]): boolean {
  // It runs over whole histories, and these loops allocate nothing.
  if (Array.isArray(container)) {
    for (const inner of container) if (!isKept(inner, open)) return false
    return true
  }
  for (const key in container) {
    if (!key.isWellFormed() || !isKept(container[key], open)) return false
  }
  return true
}

function isKept(value: unknown, open: unknown[]): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (isContainer(value)) open.push(value)
  return true
}

// The recursion ends at the limit, so that no value can overflow the stack. It runs over every call of a
// history, and `for in` is the one way through an object that allocates nothing.
function nestsDeeper(container: Container, levels: number): boolean {
  if (levels === 0) return true
  if (Array.isArray(container)) {
    return container.some((item) => isContainer(item) && nestsDeeper(item, levels - 1))
  }
  for (const key in container) {
    const item = container[key]
    if (isContainer(item) && nestsDeeper(item, levels - 1)) return true
  }
  return false
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}
