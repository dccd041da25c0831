import type { ToolNames } from '../../identity/tool-names.ts'
import { type AssembledCall, isOver, isUnfinished } from './assembled-call.ts'
import type { CallPiece } from './call-piece.ts'

/** What is known of the calls of an answer when a piece of one comes. */
interface KnownCalls {
  readonly calls: readonly AssembledCall[]
  /** The call that the piece before belonged to. */
  readonly latest: AssembledCall | undefined
  readonly names: Pick<ToolNames, 'isOffered'>
}

/** Which call a piece belongs to: by its id, else by its index, else the latest one; none if it begins a new one. */
export function findCall(piece: CallPiece, known: KnownCalls): AssembledCall | undefined {
  const { id, name, index } = piece
  const { latest } = known
  if (id === '' && name === '' && (index === undefined || latest?.index === index)) return latest
  const sameId = id === '' ? undefined : findById(piece, known)
  if (sameId !== undefined) return isAnother(sameId, piece, known) ? undefined : sameId
  return index === undefined ? undefined : findByIndex(piece, known)
}

/** LocalAI gives all calls of an answer one id, and tells them apart by their index. */
function findById({ id, index }: CallPiece, { calls }: KnownCalls): AssembledCall | undefined {
  const hasId = (call: AssembledCall): boolean => call.id === id || call.latestId === id
  return calls.findLast((call) => hasId(call) && call.index === index) ?? calls.findLast(hasId)
}

/** The same id under another index, or with another tool, is another call: some upstreams give all calls one id. */
function isAnother(call: AssembledCall, piece: CallPiece, known: KnownCalls): boolean {
  const { name, index } = piece
  if (name === '' || call.name === '') return false
  const isElsewhere = index !== undefined && call.index !== undefined && call.index !== index
  return isElsewhere || isOfAnotherTool(call, name, known)
}

function findByIndex(piece: CallPiece, known: KnownCalls): AssembledCall | undefined {
  const { id, name, index, json } = piece
  const same = known.calls.findLast((call) => call.index === index)
  if (same === undefined) return undefined
  if (id !== '' && same.id !== '') return goesOn(same, piece) ? same : undefined
  if (name === '') return same
  // A name begins a call; only in calls that can still go on may it be a repetition.
  return isOver(same, json) || isOfAnotherTool(same, name, known) ? undefined : same
}

/** Some servers make up a new id for each piece of a call; a call of its own would have a name. */
function goesOn(call: AssembledCall, { name }: CallPiece): boolean {
  return name === '' && call.name !== '' && isUnfinished(call)
}

/** Calls without arguments never look complete, but no call has two tools. */
function isOfAnotherTool(call: AssembledCall, name: string, { names }: KnownCalls): boolean {
  return call.name !== '' && call.name !== name && names.isOffered(name)
}
