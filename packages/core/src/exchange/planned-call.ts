import type {
  ClientDialect,
  ClientReply,
  EncodedRequest,
  RelayedRequest,
  ReplyContext,
  Target,
  UpstreamDialect,
} from '../dialects/dialect.ts'
import type { HubError } from '../hub/error.ts'
import type { HubRequest } from '../hub/request.ts'
import type { TranslatorOptions } from '../stream/translate.ts'
import { chosenTranslation } from './chosen-translation.ts'
import { relayAnswer } from './relay.ts'
import { UnwrittenErrors } from './unwritten-errors.ts'
import { translateAnswer, type Translation } from './translation.ts'

/** A client's request, and the target that is to answer it. */
export interface CallPlan extends Omit<Target, 'client'> {
  readonly client: ClientDialect
  /** How the client wants its answer. */
  readonly clientReply: ClientReply
  readonly request: HubRequest
  readonly upstream: UpstreamDialect
  /** The model name that the client sees. */
  readonly clientModel: string
  /** The request as it came, where the upstream speaks the client's dialect and no translation is asked for. */
  readonly relayed?: RelayedRequest | undefined
  /** Why the request could not be read: then it can only be relayed. */
  readonly unread?: HubError | undefined
}

/** What is known of an answer before its first byte: its id, and what its translation is to mind. */
export interface AnswerStart extends Omit<
  TranslatorOptions,
  'client' | 'clientReply' | 'upstream' | 'reply'
> {
  /** What the upstream says that its answer is. */
  readonly contentType?: string | undefined
}

/** A request worded for an upstream, and the way back for its answers. */
export interface PlannedCall {
  readonly upstream: UpstreamDialect
  readonly encoded: EncodedRequest
  /** The request goes on as it came, and so does the answer. */
  readonly isRelayed: boolean
  /** Translates one answer; after a failure the next one begins as if there had been none. */
  translate(start: AnswerStart): Translation
}

/** Words a client's request for an upstream. */
export function planCall(plan: CallPlan): PlannedCall {
  const { client, clientReply, request, upstream, clientModel, relayed, unread, ...target } = plan
  const passed = relayed && upstream.relayRequest?.(relayed, { ...target, client })
  if (passed === undefined && unread !== undefined) throw unread
  const encoded = passed ?? upstream.encodeRequest(request, { ...target, client })
  const way = { client, clientReply, upstream }
  const reply = { ...encoded.reply, model: clientModel }
  const isRelayed = passed !== undefined
  const expects = clientReply.stream === undefined ? 'whole' : 'events'
  return {
    upstream,
    encoded,
    isRelayed,
    translate: (start) => {
      const translation = translationOf(start)
      return clientReply.stream?.failsWithoutError === true ? new UnwrittenErrors(translation) : translation
    },
  }

  function translationOf(start: AnswerStart): Translation {
    const relay = (): Translation => relayAnswer({ ...way, ...start, reply })
    const translate = (): Translation => translated(way, reply, start)
    // An answer to a request that could not be read cannot be translated.
    if (isRelayed && unread !== undefined) return relay()
    // What the client did not ask for it could not read: the hub makes the one of the other.
    const isAsked = expects === formOf(start.contentType)
    return isRelayed && isAsked ? chosenTranslation({ expects, relay, translate }) : translate()
  }
}

/** What an upstream says that its answer is. */
function formOf(contentType: string | undefined): 'events' | 'whole' {
  return /^\s*text\/event-stream/i.test(contentType ?? '') ? 'events' : 'whole'
}

type Way = Pick<CallPlan, 'client' | 'clientReply' | 'upstream'>

/** Answers claim ids of calls, so each has its own list that begins with those of the request. */
function translated(way: Way, reply: ReplyContext, start: AnswerStart): Translation {
  return translateAnswer({ ...way, ...start, reply: { ...reply, callIds: reply.callIds.copy() } })
}
