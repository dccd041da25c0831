import type {
  ContentBlock,
  Message,
  RawContentBlockDelta,
  RawMessageStreamEvent,
  RefusalStopDetails,
  StopReason,
} from '@anthropic-ai/sdk/resources/messages/messages'

/** A whole answer in the hub's form. */
export type HubResponse = Message

/** One block of an answer. */
export type HubContentBlock = ContentBlock

/** One event of an answer's stream, as Anthropic's SDK types it. */
export type HubStreamEvent = RawMessageStreamEvent

/** A delta that only Anthropic's own dialect knows, such as a citation. */
export type HubDelta = RawContentBlockDelta

/** Why a message ended. */
export type HubStopReason = StopReason

/** Why a message ended, with what goes along: the stop sequence that matched, or the kind of refusal. */
export interface HubStop {
  readonly stop_reason: StopReason | null
  readonly stop_sequence: string | null
  readonly stop_details: RefusalStopDetails | null
}

/** A stop that needs no more than its reason. */
export function stopFor(reason: StopReason): HubStop {
  return { stop_reason: reason, stop_sequence: null, stop_details: null }
}

/** The end of an answer that the upstream did not want to give, or not to go on with. */
export function refusalStop(explanation = "The upstream's content filter ended this answer."): HubStop {
  return { ...stopFor('refusal'), stop_details: { type: 'refusal', category: null, explanation } }
}
