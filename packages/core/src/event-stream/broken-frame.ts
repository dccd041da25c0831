import { HubError } from '../hub/error.ts'

/** The error of an upstream whose event stream is not what it has to be. */
export function brokenFrame(what: string): HubError {
  return new HubError('api_error', `upstream: ${what}`, { status: 502 })
}
