import type { HeaderValues } from '../http/headers.ts'
import type { HubError } from '../hub/error.ts'
import type { LimitState } from '../hub/limit-state.ts'
import type { HubResponse } from '../hub/message.ts'
import type { Note, Notes } from '../hub/note.ts'
import type { HubRequest } from '../hub/request.ts'
import type { MessageSink } from '../hub/sink.ts'
import type { CallIdRule, CallIdsInUse } from '../identity/call-ids.ts'
import type { ToolNames } from '../identity/tool-names.ts'
import type { Profile } from '../profiles/profile.ts'
import type { BlockWriter } from '../stream/block-writer.ts'
import type { MessageOutline } from '../trace/outline.ts'
import type { RepeatedPlaces } from './repeated-places.ts'
import type { PassedEvents } from './passed-events.ts'
import type { RoutedParts } from './routed-parts.ts'

/** One wire protocol. A side that is absent is not spoken yet. */
export interface Dialect {
  readonly name: string
  readonly client?: ClientDialect
  readonly upstream?: UpstreamDialect
}

/** The side on which clients speak the dialect to us. */
export interface ClientDialect<Reply extends ClientReply = ClientReply> {
  /** Where its clients call, and what for. */
  readonly endpoints: readonly Endpoint[]
  /** Makes ids in the form that its clients know, from something unique. */
  readonly newId: ClientIds
  /** Which ids of calls its clients take. */
  readonly callIds: CallIdRule
  /** Its clients say by marks in their requests what is worth caching. */
  readonly marksCaches?: true
  /** Whether its clients take a proof behind the last words of an answer; others take it for the answer. */
  readonly takesClosingProof?: boolean
  /** Where its requests hold what comes again with every one of them; absent where that is not known. */
  readonly repeats?: RepeatedPlaces
  /** Whether a request speaks this dialect although no endpoint of ours was found for it: for its refusal. */
  recognises(call: Pick<ClientCall, 'path' | 'headers'>): boolean
  decodeRequest(call: ClientCall): DecodedRequest<Reply>
  encodeResponse(message: HubResponse, reply: Reply): unknown
  encodeStream(reply: Reply): StreamEncoder
  encodeError(error: HubError, requestId?: string): EncodedError
  /** What ends each of its streams, where that is no part of the answer. */
  readonly streamEnd?: Uint8Array
  /** The headers of an answer that is no error. */
  answerHeaders(requestId: string): Readonly<Record<string, string>>
  /** The headers in which its clients look for how far they are from their limits. */
  limitHeaders?(limits: LimitState): Readonly<Record<string, string>>
  /** What routes may look at in a request that is not understood. */
  routedParts(call: Pick<ClientCall, 'body' | 'params'>): RoutedParts
  /** A request that only asks how long its prompt is. */
  decodeCount?(call: ClientCall): CountRequest
  encodeCount?(tokens: number): unknown
  /** The answer to a client that asks which models there are, or for one of them. */
  encodeModels?(models: readonly string[], describe?: (model: string) => string | undefined): unknown
  encodeModel?(model: string, describe?: (model: string) => string | undefined): unknown
  /** Keeps what later requests may refer back to of an answer that was passed on: the end of its stream, or all of it. */
  keepRelayed?(end: string, reply: Reply): void
  /**
   * The events with which a stream fails that was passed on so far, where they depend on those before; `undefined` if
   * it has not begun.
   */
  failRelayed?(error: HubError, passed: PassedEvents, reply: Reply): string | undefined
  /** The keys of what a request refers back to; it is in the memory when the request is decoded. */
  recalls?(call: Omit<ClientCall, 'memory'>): readonly string[]
}

/** What a client calls for. */
export type Endpoint = SharedEndpoint | OwnEndpoint

interface EndpointAddress {
  readonly method: 'GET' | 'POST' | 'HEAD' | 'DELETE'
  /** Below the mount point; `{name}` matches one segment or a part of it, `{name+}` for one or several. */
  readonly path: string
  /** Tells apart whom a path belongs to that several dialects have. */
  when?(headers: HeaderValues): boolean
}

/** An endpoint that every dialect may have, under an address of its own. */
export interface SharedEndpoint extends EndpointAddress {
  readonly purpose: 'generate' | 'count' | 'models' | 'model'
}

/** An endpoint that only this dialect has: it answers from what is in the memory. */
export interface OwnEndpoint extends EndpointAddress {
  readonly purpose: 'own'
  /** The JSON value of the answer; throws a `HubError` as any decoder does. */
  answer(call: ClientCall): unknown
}

/** The unique part of an id in a client's form. */
export interface ClientIds {
  message(unique: string): string
  call(unique: string): string
  request(unique: string): string
}

/** A client's request as HTTP brought it. */
export interface ClientCall {
  readonly method: string
  readonly path: string
  /** What matched each `{name}` of the endpoint's path. */
  readonly params: Readonly<Record<string, string>>
  /** The query without keys; the last of several values. */
  readonly query: Readonly<Record<string, string>>
  readonly headers: HeaderValues
  readonly body: unknown
  /** When it came, in milliseconds since 1970: the core has no clock. */
  readonly now: number
  /** Something unique for ids that the answer needs beside those of its message and its calls. */
  readonly newId: () => string
  readonly memory: Memory
}

/** What is kept between the requests of clients whose protocol refers back to it; it may forget. */
export interface Memory {
  get(key: string): unknown
  set(key: string, value: unknown): void
  delete(key: string): void
  /** Not all that is kept could be looked up at the moment: what is missing may be there. */
  readonly isUnsure?: boolean | undefined
}

/** A client's request in the hub's form. */
export interface DecodedRequest<Reply extends ClientReply = ClientReply> {
  readonly request: HubRequest
  /** What the encoder of the answer must know of the request; it must not keep the request itself. */
  readonly reply: Reply
  readonly notes: readonly Note[]
}

/** A request to count the tokens of a prompt. */
export type CountRequest = Pick<DecodedRequest, 'request' | 'notes'>

/** How a client wants its answer; each dialect adds what its encoders need. */
export interface ClientReply {
  /** The form of the stream; absent if the answer is wanted whole. */
  readonly stream?: StreamForm | undefined
  /** Where the encoders of the answer note what the client's form cannot hold. */
  readonly answerNotes?: Notes | undefined
}

/** How a stream is sent. */
export interface StreamForm {
  readonly contentType: string
  /** What may be sent between two events as a sign of life. */
  readonly keepAlive: string | undefined
  /**
   * After how many milliseconds the head of an answer is sent although there is no event yet, for clients with a short
   * header timeout. From then on an error is sent inside of the stream.
   */
  readonly headWithin?: number
  /**
   * Some clients take a stream that ends well for a whole answer, although it said that it has failed: for those the
   * connection has to break as well.
   */
  readonly breaksWhenFailed?: true
  /** Where another try may help, a failure is not written: the connection breaks, and that is all. */
  readonly failsWithoutError?: true
  /** An overflow is answered with status 200 and a stream of nothing but the error, as the client knows it only there. */
  readonly streamsOverflow?: true
  /** The end of the stream repeats all of the answer, so its encoder keeps all of it. */
  readonly keepsAnswer?: boolean
}

/** A sink that turns hub events into the client's wire form. */
export interface StreamEncoder extends MessageSink {
  /** What was written since the last call, as text or as bytes. */
  take(): string | Uint8Array
}

/** An error as an HTTP answer in the client's dialect. */
export interface EncodedError {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The side on which we speak the dialect to a provider. */
export interface UpstreamDialect<P extends Profile = Profile> {
  /** What holds for a server that is not described any further. */
  readonly defaultProfile: P
  /** The header that carries the key, unless the provider's profile says another; `authorization` takes a bearer token. */
  readonly keyHeader: string
  /** The version that a base URL may leave out, such as `/v1`. */
  readonly baseVersion?: string
  encodeRequest(request: HubRequest, target: Target<P>): EncodedRequest
  /**
   * A request for an upstream that speaks the client's own dialect, as it came but for what the target needs:
   * unknown fields are kept. None where it has to go through the hub.
   */
  relayRequest?(relayed: RelayedRequest, target: Target<P>): EncodedRequest | undefined
  decodeResponse(body: unknown, context: DecodeContext<P>): void
  decodeStream(context: DecodeContext<P>): StreamDecoder
  /**
   * Brings a reader of its own where the body of an answer is neither server-sent events nor one JSON document, or
   * where its events can be read faster (`fast-text/`).
   */
  decodeBody?(decoder: StreamDecoder, decodeWhole: (body: unknown) => void): BodyReader
  decodeError(failure: UpstreamFailure): HubError
  /** What a request body consists of, for the conversion trace. */
  outline(body: EncodedRequest['body']): MessageOutline[]
}

/** A client's request on its way to an upstream of the same dialect. */
export interface RelayedRequest {
  readonly call: ClientCall
  /** What our decoder made of it; absent where it could not read it. */
  readonly request?: HubRequest | undefined
}

/** Where a request goes: which model, what that provider does differently, and whom the answer is for. */
export interface Target<P extends Profile = Profile> {
  readonly model: string
  readonly profile: P
  /** Whom the answer is for, and how its requests and answers differ from others'. */
  readonly client?: Pick<ClientDialect, 'callIds' | 'newId' | 'marksCaches' | 'takesClosingProof'>
  /** The client's headers, for what a dialect takes from them. */
  readonly headers?: HeaderValues
  /** Makes a unique name, for dialects whose requests carry one. */
  readonly newId?: () => string
}

/** A request ready for the wire, and what its answer needs to find the way back. */
export interface EncodedRequest {
  /** Below the upstream's base URL, with its slash; '' where the base URL is all there is. */
  readonly path: string
  /** Without a question mark, '' for none. */
  readonly query: string
  /** Those of the dialect, without the key. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  readonly reply: ReplyContext
  readonly notes: readonly Note[]
}

/** What the decoder of an answer must know of its request. It outlives the request and keeps nothing of it. */
export interface ReplyContext<P extends Profile = Profile> {
  /** The model name that the client sees. */
  readonly model: string
  readonly profile: P
  readonly names: ToolNames
  readonly callIds: CallIdsInUse
  /** The stop sequences that the client asked for. */
  readonly stopSequences: readonly string[]
  /** Those of them that the upstream does not take, to be matched in its answer. */
  readonly ownStopSequences: readonly string[]
  /** Whether the client takes a proof behind the last words of an answer. */
  readonly takesClosingProof?: boolean
}

/** What a decoder works with: where it writes, what the request said, and where it takes notes. */
export interface DecodeContext<P extends Profile = Profile> {
  readonly messageId: string
  readonly reply: ReplyContext<P>
  readonly writer: BlockWriter
  readonly notes: Notes
}

/** Reads the bytes of an answer, in whatever pieces they come, and tells a decoder of them. */
export interface BodyReader {
  push(bytes: Uint8Array): void
  /** The body ended. */
  end(): void
  /** How far the bytes of the last push were read; absent where that is not known. */
  readonly progress?: ReadProgress
}

/** A place in the bytes of a push: a number of events behind a byte, the last of which may have failed. */
export interface ReadProgress {
  readonly from: number
  readonly events: number
  /** It was a line outside of events, behind these, that failed. */
  readonly isStray: boolean
}

/** Reads an upstream's events and tells them to the writer. */
export interface StreamDecoder {
  /** One server-sent event. */
  event(name: string | undefined, data: string): void
  /** A line that is no part of an event: some servers report errors that way. */
  strayLine(field: string, value: string): void
  /** The body ended: decides whether that was an end or a cut. */
  end(): void
  /** The upstream has said that it is finished, though its body may still be open. */
  readonly finished: boolean
}

/** An HTTP answer with an error status, as far as it was read. */
export interface UpstreamFailure {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}
