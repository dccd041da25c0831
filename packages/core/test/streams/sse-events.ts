import type { HubStreamEvent } from '../../src/hub/message.ts'

/** The event that ends a stream badly. */
export interface ErrorEvent {
  readonly type: 'error'
  readonly error: { readonly type: string; readonly message: string }
}

/** Any event that an Anthropic client is sent by a translator. */
export type ClientEvent = HubStreamEvent | ErrorEvent

const EVENT = /^event: ([a-z_]+)\ndata: ([^\n\r]+)$/

/**
 * Splits what a client is sent into its events, more strictly than any client does: a name, one line of
 * JSON with the same type, a blank line, and nothing else.
 */
export function parseEvents(output: string): ClientEvent[] {
  if (output === '') return []
  if (!output.endsWith('\n\n'))
    throw new Error(`the output ends in the middle of an event: ${output.slice(-80)}`)
  return output.slice(0, -2).split('\n\n').map(parseEvent)
}

function parseEvent(text: string): ClientEvent {
  const match = EVENT.exec(text)
  if (match === null) throw new Error(`expected a name and one line of data, got ${JSON.stringify(text)}`)
  const [, name, json = ''] = match
  const value = JSON.parse(json) as ClientEvent
  if (JSON.stringify(value) !== json) throw new Error(`expected compact JSON, got ${json}`)
  if (value.type !== name) throw new Error(`the event is called ${name} and its type is ${value.type}`)
  return value
}
