import type { HubError } from '../../hub/error.ts'
import { isJsonObject } from '../../json/json-object.ts'
import type { PassedEvents } from '../passed-events.ts'
import { ResponseEncoder } from './encode-stream.ts'
import { EventOutput } from './event-output.ts'
import { eventsIn } from './keep-relayed.ts'
import type { ResponsesReply } from './reply.ts'

/** The failure of a stream that was passed on: the numbers go on, and it is the response that was begun. */
export function failRelayed(
  error: HubError,
  { first, latest }: PassedEvents,
  reply: ResponsesReply,
): string | undefined {
  const begun = eventsIn(first).find(({ response }) => isJsonObject(response))?.['response']
  if (!isJsonObject(begun) || typeof begun['id'] !== 'string') return undefined
  const { id, model, created_at: createdAt } = begun
  const numbers = eventsIn(latest).map(({ sequence_number: number }) => number)
  // Some servers do not number their events: then this goes on without numbers.
  const last = numbers.findLast((number) => typeof number === 'number') ?? Number.NaN
  const out = new EventOutput(last + 1)
  const known = typeof createdAt === 'number' ? { ...reply, createdAt } : reply
  const encoder = new ResponseEncoder(known, out)
  encoder.resume({ id, model: typeof model === 'string' ? model : reply.model })
  encoder.error(error)
  return out.take()
}
