import {
  amazonQ,
  anthropic,
  type EncodedRequest,
  type HubRequest,
  type Note,
  Notes,
  openaiChat,
  plainReply,
  repair,
  type ReplyContext,
  type UpstreamDialect,
} from '@hydra/core'
import { type Via, profileOf } from '@hydra/tape'
import { type AnswerTranslation, streamed, whole } from './answer-translation.ts'

/** About how many bytes of a body make a token: what the gateway reckons with. */
const BYTES_PER_TOKEN = 4

const DIALECTS: Readonly<Record<Via['dialect'], UpstreamDialect>> = {
  'openai-chat': openaiChat.upstream,
  anthropic: anthropic.upstream,
  'amazon-q': amazonQ.upstream,
}

/** A request as the current translator words it for an upstream, and the way back for its answer. */
export interface PreparedCall {
  readonly dialect: UpstreamDialect
  readonly body: EncodedRequest['body']
  readonly notes: readonly Note[]
  /** The translation of one answer; as many as are needed, none of which knows of another. */
  newTranslation(): AnswerTranslation
}

/** Words a request for an upstream in the way it was called then; a text says why it cannot be. */
export function prepareCall(request: HubRequest, via: Via): PreparedCall | string {
  const profile = profileOf(via)
  if (typeof profile === 'string') return profile
  if (!Object.hasOwn(DIALECTS, via.dialect)) return `there is no dialect '${via.dialect}'`
  const dialect = DIALECTS[via.dialect]
  const encoded = dialect.encodeRequest(request, { model: via.model ?? request.model, profile })
  const reply = { ...encoded.reply, model: via.toldModel ?? request.model }
  const inputTokens = Math.ceil(Buffer.byteLength(JSON.stringify(encoded.body)) / BYTES_PER_TOKEN)
  const usedIds = callIdsIn(request, reply)
  const translate = request.stream === true ? streamed : whole
  return {
    dialect,
    body: encoded.body,
    notes: encoded.notes,
    newTranslation: () =>
      translate({
        upstream: dialect,
        // Answers claim ids, so each begins with those of the request.
        reply: { ...reply, callIds: claimed(usedIds, reply), estimateInput: () => inputTokens },
        messageId: via.messageId ?? 'msg_replayed',
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
