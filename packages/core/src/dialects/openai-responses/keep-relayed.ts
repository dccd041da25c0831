import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { jsonIn } from '../../json/wire.ts'
import { parseEvents } from '../../sse/parse-events.ts'
import type { ResponsesReply } from './reply.ts'
import type { WireResponse } from './wire.ts'

/** Keeps an answer that was passed on, so that it can be asked for by its id as any other can. */
export function keepRelayed(end: string, { store }: ResponsesReply): void {
  const response = store === undefined ? undefined : responseIn(end)
  if (response !== undefined) store?.(response, { isRelayed: true })
}

/** The response of a whole answer, or of the event that a stream ended with. */
function responseIn(end: string): WireResponse | undefined {
  const whole = jsonIn(end)
  if (isJsonObject(whole)) return responseOf(whole)
  const last = eventsIn(end).findLast(({ response }) => isJsonObject(response))?.['response']
  return isJsonObject(last) ? responseOf(last) : undefined
}

/** The events of a stream, as far as they are JSON. */
export function eventsIn(stream: string): JsonObject[] {
  return parseEvents(stream)
    .events.map(({ data }) => jsonIn(data))
    .filter(isJsonObject)
}

function responseOf(value: object): WireResponse | undefined {
  const isResponse = 'id' in value && 'output' in value && Array.isArray(value.output)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked above, as far as it is used
  return isResponse ? (value as WireResponse) : undefined
}
