import {
  type ClientDialect,
  type ClientReply,
  type EncodedRequest,
  estimateTokens,
  type HubRequest,
  type Note,
  Notes,
  plainReply,
  registry,
  repair,
  type ReplyContext,
  translateAnswer,
  type Translation,
  type UpstreamDialect,
} from '@hydra/core'
import { type Via, profileOf } from '@hydra/tape'

/** A request as the current translator words it for an upstream, and the way back for its answer. */
export interface PreparedCall {
  readonly dialect: UpstreamDialect
  readonly body: EncodedRequest['body']
  readonly notes: readonly Note[]
  /** The translation of one answer; as many as are needed, none of which knows of another. */
  newTranslation(): Translation
}

/** A client's request, and how the client wants its answer. */
export interface ReplayedRequest {
  readonly client: ClientDialect
  readonly request: HubRequest
  readonly reply: ClientReply
}

/** Words a request for an upstream in the way it was called then; a text says why it cannot be. */
export function prepareCall(
  { client, request, reply: clientReply }: ReplayedRequest,
  via: Via,
): PreparedCall | string {
  const profile = profileOf(via)
  if (typeof profile === 'string') return profile
  const dialect = registry.get(via.dialect)?.upstream
  if (dialect === undefined) return `there is no dialect '${via.dialect}'`
  const encoded = dialect.encodeRequest(request, { model: via.model ?? request.model, profile, client })
  const reply = { ...encoded.reply, model: via.toldModel ?? request.model }
  const inputEstimate = estimateTokens(Buffer.byteLength(JSON.stringify(encoded.body)))
  const usedIds = callIdsIn(request, reply)
  return {
    dialect,
    body: encoded.body,
    notes: encoded.notes,
    newTranslation: () =>
      translateAnswer({
        client,
        clientReply,
        upstream: dialect,
        // Answers claim ids, so each begins with those of the request.
        reply: { ...reply, callIds: claimed(usedIds, reply) },
        messageId: via.messageId ?? client.newId.message('replayed'),
        inputEstimate,
      }),
  }
}

/** The ids of the calls in a request's history, as the encoder sees it. */
function callIdsIn(request: HubRequest, { profile }: ReplyContext): readonly string[] {
  const history = repair(request.messages, profile, new Notes())
  return history.flatMap(({ content }) => {
    if (typeof content !== 'object') return []
    return content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
  })
}

function claimed(ids: readonly string[], { model, profile }: ReplyContext): ReplyContext['callIds'] {
  const { callIds } = plainReply(model, profile)
  for (const id of ids) callIds.add(id)
  return callIds
}
