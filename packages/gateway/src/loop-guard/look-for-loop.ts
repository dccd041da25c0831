import type { LoopTrip, Note } from '@hydra/core'
import type { GatewayContext } from '../context.ts'
import type { PreparedRequest } from '../exchange/prepare.ts'
import type { ExchangeReporter } from '../exchange/exchange-reporter.ts'
import { remind } from './remind.ts'

/** A request that the loop guard has seen: with a reminder where one was wanted, and the loop if there is one. */
export interface GuardedRequest {
  readonly prepared: PreparedRequest
  readonly trip?: LoopTrip
}

/** Looks whether the conversation of a request runs in circles, and reports it. */
export function lookForLoop<Native>(
  prepared: PreparedRequest,
  { loopGuard }: GatewayContext<Native>,
  reporter: ExchangeReporter<Native>,
): GuardedRequest {
  const trip = loopGuard?.look(prepared.request.messages)
  if (trip === undefined) return { prepared }
  const request = trip.mode === 'notify' ? reminded(prepared, trip) : undefined
  reporter.looped(trip, noteOf(trip, { isReminded: request !== undefined }))
  // The reminder to the model is in the hub's request only.
  const guarded = request === undefined ? prepared : { ...prepared, request, relayed: undefined }
  return { prepared: guarded, trip }
}

/** A route that passes requests on unchanged leaves the model without a reminder. */
function reminded(
  { route, request }: PreparedRequest,
  trip: LoopTrip,
): PreparedRequest['request'] | undefined {
  return route.passthrough ? undefined : remind(request, trip)
}

function noteOf(trip: LoopTrip, { isReminded }: { readonly isReminded: boolean }): Note {
  const path = `messages[${trip.messageIndex}]`
  if (trip.mode === 'stop') {
    return { code: 'loop_stopped', path, message: `${trip.message}: the turn was ended without a call` }
  }
  return isReminded
    ? { code: 'loop_reminder_added', path, message: `${trip.message}: the model was told so at the end` }
    : { code: 'loop_found', path, message: trip.message }
}
