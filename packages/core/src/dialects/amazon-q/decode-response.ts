import { HubError } from '../../hub/error.ts'
import type { QContext } from './profile.ts'
import { decodeErrorPayload, isErrorPayload } from './error.ts'
import { NAME } from './wire.ts'

/** Reads a JSON body: the service answers in events only, so this is an error, or no answer at all. */
export function decodeResponse(body: unknown, _context: QContext): void {
  if (isErrorPayload(body)) throw decodeErrorPayload(body)
  throw new HubError('api_error', `${NAME}: expected an event stream, got a JSON document`, { status: 502 })
}
