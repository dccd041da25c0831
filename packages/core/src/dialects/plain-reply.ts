import { CallIdsInUse } from '../identity/call-ids.ts'
import { ToolNames } from '../identity/tool-names.ts'
import type { Profile } from '../profiles/profile.ts'
import type { ReplyContext, Target } from './dialect.ts'

/** What the decoder of an answer must know when nothing of its request was changed. */
export function plainReply<P extends Profile>(
  model: string,
  profile: P,
  client?: Target['client'],
): ReplyContext<P> {
  return {
    model,
    profile,
    names: new ToolNames(profile.toolNameLength),
    callIds: new CallIdsInUse(client),
    stopSequences: [],
    ownStopSequences: [],
  }
}
