import type { ReplyContext, Target } from '../dialects/dialect.ts'
import { nameOf, type PlacedTool, placedTools } from '../dialects/placed-tools.ts'
import { Notes } from '../hub/note.ts'
import type { HubRequest } from '../hub/request.ts'
import { CallIdsInUse, WireCallIds } from '../identity/call-ids.ts'
import { ToolNames } from '../identity/tool-names.ts'
import { type Profile, profileFor } from '../profiles/profile.ts'

/** What the parts of one request share while it is encoded. */
export interface Encoding<P extends Profile = Profile> {
  /** As it holds for the model that is asked. */
  readonly profile: P
  readonly notes: Notes
  /** All tools that the request knows, offered or not. */
  readonly tools: readonly PlacedTool[]
  readonly names: ToolNames
  /** The ids of calls as the upstream sees them. */
  readonly wireIds: WireCallIds
  /** The ids of calls as the client knows them. */
  readonly callIds: CallIdsInUse
  /** The tools that a result has referred to: a deferred tool is offered from then on. */
  readonly referencedTools: Set<string>
}

/** Begins the encoding of a request. */
export function newEncoding<P extends Profile>(
  request: HubRequest,
  { model, profile: preset, client }: Target<P>,
): Encoding<P> {
  const profile = profileFor(preset, model)
  const tools = placedTools(request)
  return {
    profile,
    notes: new Notes(),
    tools,
    names: new ToolNames(
      profile.toolNameLength,
      tools.map(({ tool }) => nameOf(tool)),
      profile.toolNameStart,
    ),
    wireIds: new WireCallIds(profile.callIds),
    callIds: new CallIdsInUse(client),
    referencedTools: new Set(),
  }
}

/** What the decoder of the answer knows of the request, with the stop sequences that it must match itself. */
export function replyContext<P extends Profile>(
  request: HubRequest,
  { profile, names, callIds }: Encoding<P>,
  ownStopSequences: readonly string[],
): ReplyContext<P> {
  return {
    model: request.model,
    profile,
    names,
    callIds,
    stopSequences: stopSequences(request),
    ownStopSequences,
  }
}

/** The stop sequences of a request; empty ones would stop everything, and half a character is in no answer. */
export function stopSequences({ stop_sequences: sequences }: HubRequest): readonly string[] {
  return (sequences ?? []).filter((sequence) => sequence !== '' && sequence.isWellFormed())
}
