import type { HubMessage } from '../hub/request.ts'
import { blockPath } from './block-path.ts'
import type { CallSlot, PlacedResult } from './pairing.ts'
import { pairing } from './pairing.ts'

/** What can be wrong with a history. */
export type FindingCode =
  | 'first_turn_not_user'
  | 'consecutive_roles'
  | 'call_without_result'
  | 'result_without_call'
  | 'result_misplaced'
  | 'duplicate_result'
  | 'duplicate_call_id'

/** One fault of a history: where it is, what was expected there and what came. */
export interface Finding {
  readonly code: FindingCode
  readonly messageIndex: number
  readonly blockIndex?: number
  readonly message: string
}

/** Lists the faults of a history in the order of its messages, and changes nothing. */
export function validate(messages: readonly HubMessage[]): Finding[] {
  const { calls, orphans } = pairing(messages)
  const findings = [
    ...turnFindings(messages),
    ...calls.flatMap(resultFindings),
    ...repeatedIds(calls),
    ...orphans.map(withoutCall),
  ]
  return findings.toSorted(byPlace)
}

/** System messages are legal anywhere and are no turn of their own. */
function turnFindings(messages: readonly HubMessage[]): Finding[] {
  const findings: Finding[] = []
  let before: HubMessage['role'] | undefined
  for (const [messageIndex, { role }] of messages.entries()) {
    if (role === 'system') continue
    if (before === undefined && role !== 'user') {
      const message = `expected the first turn to be the user's, got one of the ${role} (messages[${messageIndex}])`
      findings.push({ code: 'first_turn_not_user', messageIndex, message })
    }
    if (before === role) {
      const message = `expected a turn of the other side after the ${role}'s, got another one of the ${role} (messages[${messageIndex}])`
      findings.push({ code: 'consecutive_roles', messageIndex, message })
    }
    before = role
  }
  return findings
}

function resultFindings(call: CallSlot): Finding[] {
  const { messageIndex, blockIndex, block, results } = call
  const [first, ...more] = results
  if (first === undefined) {
    const message = `expected a result for call ${block.id} of ${block.name}, got none (${blockPath(call)})`
    return [{ code: 'call_without_result', messageIndex, blockIndex, message }]
  }
  const findings = more.map((result) => duplicate(result, call))
  return first.follows === messageIndex ? findings : [misplaced(first, call), ...findings]
}

function misplaced(result: PlacedResult, call: CallSlot): Finding {
  const { messageIndex, blockIndex } = result
  const message = `expected the result of call ${call.block.id} in the turn after ${blockPath(call)}, got it later (${blockPath(result)})`
  return { code: 'result_misplaced', messageIndex, blockIndex, message }
}

function duplicate(result: PlacedResult, call: CallSlot): Finding {
  const { messageIndex, blockIndex } = result
  const message = `expected one result for call ${call.block.id} (${blockPath(call)}), got another one (${blockPath(result)})`
  return { code: 'duplicate_result', messageIndex, blockIndex, message }
}

function withoutCall(result: PlacedResult): Finding {
  const { messageIndex, blockIndex, block } = result
  const message = `expected a call ${block.tool_use_id} before its result, got none (${blockPath(result)})`
  return { code: 'result_without_call', messageIndex, blockIndex, message }
}

function repeatedIds(calls: readonly CallSlot[]): Finding[] {
  const first = new Map<string, CallSlot>()
  return calls.flatMap((call): Finding[] => {
    const { messageIndex, blockIndex, block } = call
    const earlier = first.get(block.id)
    if (earlier === undefined) {
      first.set(block.id, call)
      return []
    }
    const message = `expected an id of its own for the call at ${blockPath(call)}, got ${block.id} as at ${blockPath(earlier)}`
    return [{ code: 'duplicate_call_id', messageIndex, blockIndex, message }]
  })
}

function byPlace(one: Finding, other: Finding): number {
  return one.messageIndex - other.messageIndex || (one.blockIndex ?? -1) - (other.blockIndex ?? -1)
}
