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
