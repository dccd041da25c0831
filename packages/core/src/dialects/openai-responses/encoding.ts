import type { Notes } from '../../hub/note.ts'
import type { CallIdsInUse, WireCallIds } from '../../identity/call-ids.ts'
import type { ToolNames } from '../../identity/tool-names.ts'
import type { PlacedTool } from '../placed-tools.ts'
import type { ResponsesProfile } from './profile.ts'

/** What the parts of one request share while it is encoded. */
export interface Encoding {
  readonly profile: ResponsesProfile
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
