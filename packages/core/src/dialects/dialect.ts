import type { HubError } from '../hub/error.ts'
import type { HubResponse } from '../hub/message.ts'
import type { Note, Notes } from '../hub/note.ts'
import type { HubRequest } from '../hub/request.ts'
import type { MessageSink } from '../hub/sink.ts'
import type { CallIdsInUse } from '../identity/call-ids.ts'
import type { ToolNames } from '../identity/tool-names.ts'
import type { Profile } from '../profiles/profile.ts'
import type { MessageOutline } from '../trace/outline.ts'
import type { BlockWriter } from '../stream/block-writer.ts'

/** One wire protocol. A side that is absent is not spoken yet. */
export interface Dialect {
  readonly name: string
  readonly client?: ClientDialect
  readonly upstream?: UpstreamDialect
}

/** The side on which somebody speaks the dialect to us. */
export interface ClientDialect {
  decodeRequest(body: unknown): DecodedRequest
  encodeResponse(message: HubResponse): unknown
  encodeStream(): StreamEncoder
  encodeError(error: HubError, requestId?: string): EncodedError
}

/** The side on which we speak the dialect to a provider. */
export interface UpstreamDialect {
  encodeRequest(request: HubRequest, target: Target): EncodedRequest
  decodeResponse(body: unknown, context: DecodeContext): void
  decodeStream(context: DecodeContext): StreamDecoder
  /** Brings a reader of its own where the body of an answer is neither server-sent events nor one JSON document. */
  decodeBody?(decoder: StreamDecoder, decodeWhole: (body: unknown) => void): BodyReader
  decodeError(failure: UpstreamFailure): HubError
  /** What a request body consists of, for the conversion trace. */
  outline(body: EncodedRequest['body']): MessageOutline[]
}

/** A client's request in the hub's form. */
export interface DecodedRequest {
  readonly request: HubRequest
  readonly notes: readonly Note[]
}

/** Where a request goes: which model, and what that provider does differently. */
export interface Target {
  readonly model: string
  readonly profile: Profile
  /** Makes a unique name, for dialects whose requests carry one. */
  readonly newId?: () => string
}

/** A request ready for the wire, and what its answer needs to find the way back. */
export interface EncodedRequest {
  readonly body: Readonly<Record<string, unknown>>
  readonly reply: ReplyContext
  readonly notes: readonly Note[]
}

/** What the decoder of an answer must know of its request. */
export interface ReplyContext {
  /** The model name the client is told. */
  readonly model: string
  readonly profile: Profile
  readonly names: ToolNames
  readonly callIds: CallIdsInUse
  /** Estimates the tokens of the prompt, for upstreams that never report usage. */
  readonly estimateInput: () => number
  /** The stop sequences that the client asked for. */
  readonly stopSequences: readonly string[]
  /** Those of them that the upstream does not take, to be matched in its answer. */
  readonly ownStopSequences: readonly string[]
}

/** What a decoder works with: where it writes, what the request said, and where it takes notes. */
export interface DecodeContext {
  readonly messageId: string
  readonly reply: ReplyContext
  readonly writer: BlockWriter
  readonly notes: Notes
}

/** Reads the bytes of an answer, in whatever pieces they come, and tells a decoder of them. */
export interface BodyReader {
  push(bytes: Uint8Array): void
  /** The body ended. */
  end(): void
}

/** Reads an upstream's events and tells them to the writer. */
export interface StreamDecoder {
  /** One server-sent event. */
  event(name: string | undefined, data: string): void
  /**
   * Takes the events from a place on that it knows by sight, without having them decoded and split first; gives
   * where it stopped. The place is between two events.
   */
  skim?(bytes: Uint8Array, from: number): number
  /** A line that is no part of an event: some servers report errors that way. */
  strayLine(field: string, value: string): void
  /** The body ended: decides whether that was an end or a cut. */
  end(): void
  /** The upstream has said that it is finished, though its body may still be open. */
  readonly finished: boolean
}

/** A sink that turns what it hears into the client's wire form. */
export interface StreamEncoder extends MessageSink {
  /** What was written since the last call. */
  take(): string
  /** The same for whoever sends it on: many deltas at once come as bytes. */
  takeRaw(): string | Uint8Array
}

/** An HTTP answer with an error status, as far as it was read. */
export interface UpstreamFailure {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** An error as an HTTP answer in the client's dialect. */
export interface EncodedError {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
