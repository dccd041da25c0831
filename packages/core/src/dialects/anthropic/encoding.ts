import type { Notes } from '../../hub/note.ts'
import type { CallIdsInUse, WireCallIds } from '../../identity/call-ids.ts'
import type { ToolNames } from '../../identity/tool-names.ts'
import type { AnthropicProfile } from './profile.ts'

/** What the parts of one request share while it is encoded. */
export interface Encoding {
  /** The profile as it holds for the target's model. */
  readonly profile: AnthropicProfile
  readonly notes: Notes
  readonly names: ToolNames
  readonly wireIds: WireCallIds
  /** The ids of calls that the client knows from the history. */
  readonly callIds: CallIdsInUse
}
