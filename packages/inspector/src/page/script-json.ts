import { unitsOf } from '@hydra/cli'

/** What could end the element around it, begin a comment, or break a line where JSON has none. */
const UNSAFE = /[<>&\u2028\u2029]/g

/** JSON as it may be written inside a script element of a page: no character of it means anything to HTML. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(UNSAFE, unitsOf)
}
