import { type HubError, toHubError } from '@hydra/core'
import type { GatewayContext } from '../context.ts'
import type { Responder } from './exchange.ts'
import type { Recorder } from './recorder.ts'

/** Answers with an error in the client's dialect. Nothing may have been sent before. */
export function refuse<Native>(
  thrown: unknown,
  reply: Responder,
  { recorder, context }: { recorder: Recorder<Native>; context: GatewayContext<Native> },
): HubError {
  const error = toHubError(thrown)
  const { status, headers, body } = context.client.encodeError(error, recorder.id)
  recorder.began(status)
  reply.head(status, headers)
  // A connection that stays open would keep the server from closing.
  if (context.watchdog.closing !== undefined) reply.close(body)
  else reply.end(body)
  return error
}
