import {
  type ClientCall,
  type ClientDialect,
  type ClientReply,
  type EncodedRequest,
  estimateTokens,
  type HubRequest,
  type Note,
  planCall,
  registry,
  type Translation,
  type UpstreamDialect,
} from '@hydra/core'
import type { Via } from '../format/lines.ts'
import { profileOf } from '../read/profile-of.ts'

/** Stands in a request where a name is new each time. */
export const FRESH_NAME = 'a-name-that-is-new-each-time'

const newId = (): string => FRESH_NAME

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
  /** The request as it came. */
  readonly call: ClientCall
}

/** Words a request for an upstream in the way it was called then; a text says why it cannot be. */
export function prepareCall(
  { client, request, reply: clientReply, call }: ReplayedRequest,
  via: Via,
): PreparedCall | string {
  const profile = profileOf(via)
  if (typeof profile === 'string') return profile
  const upstream = registry.get(via.dialect)?.upstream
  if (upstream === undefined) return `there is no dialect '${via.dialect}'`
  const { model = request.model, toldModel: clientModel = request.model } = via
  const relayed = via.relayed === true ? { call, request } : undefined
  const way = { client, clientReply, request, upstream, relayed }
  const planned = planCall({ ...way, model, profile, clientModel, newId })
  const { body, notes } = planned.encoded
  const start = {
    messageId: via.messageId ?? client.newId.message('replayed'),
    // What is relayed comes in the form that was asked for.
    contentType: clientReply.stream?.contentType,
    inputEstimate: estimateTokens(Buffer.byteLength(JSON.stringify(body))),
  }
  return { dialect: upstream, body, notes, newTranslation: () => planned.translate(start) }
}
