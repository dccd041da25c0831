import { type HubError, invalidRequest, nestsTooDeep, toHubError } from '@hydra/core'

/** How many steps of a path are shown. */
const SHOWN_STEPS = 4

/**
 * What was thrown on the way of a request; where the stack has overflowed because the request nests without an end,
 * that is what is wrong with it. Looking for it in every request would cost all of them.
 */
export function explainStackOverflow(thrown: unknown, request: unknown): HubError {
  const error = toHubError(thrown)
  if (!isStackOverflow(thrown) && !isStackOverflow(error.cause)) return error
  const path = deepPathIn(request)
  return path === undefined
    ? error
    : invalidRequest(path, 'expected at most 512 levels, got a value that nests deeper')
}

function isStackOverflow(thrown: unknown): boolean {
  return thrown instanceof RangeError && thrown.message.includes('call stack')
}

/** The beginning of the path to what nests too deep. */
function deepPathIn(request: unknown): string | undefined {
  if (!nestsTooDeep(request)) return undefined
  let path = ''
  let inner = request
  for (let step = 0; step < SHOWN_STEPS; step += 1) {
    const deep = Object.entries(inner as object).find(([, value]) => nestsTooDeep(value))
    if (deep === undefined) break
    const [key, value] = deep
    path += Array.isArray(inner) ? `[${key}]` : `${path === '' ? '' : '.'}${key}`
    inner = value
  }
  return path
}
