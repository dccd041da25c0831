import { withField } from '../../json/with-field.ts'
import { WireFault, type WireObject } from '../../json/wire.ts'
import type {
  RawMessageDeltaEvent,
  RawMessageStreamEvent,
} from '@anthropic-ai/sdk/resources/messages/messages'

/** An event of a Messages stream. */
export type StreamEvent = RawMessageStreamEvent

/** The event that says why the message ended and what it cost. */
export type MessageDeltaEvent = RawMessageDeltaEvent

/** Events that are not part of the message itself. */
export interface OutOfBandEvent {
  readonly type: 'ping' | 'error'
  readonly error?: unknown
}

/** An event by its type, or else by its name, as gateways send some of their own; one without either is a fault. */
export function typed(event: WireObject, name: string | undefined): StreamEvent | OutOfBandEvent {
  const { type = name } = event
  if (typeof type !== 'string') throw new WireFault('an event', 'an object with a type', type)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each of its fields is checked where it is read
  return withField(event, 'type', type) as unknown as StreamEvent
}
