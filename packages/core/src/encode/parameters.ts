import type { Notes } from '../hub/note.ts'
import type { HubRequest } from '../hub/request.ts'
import { type Encoding, stopSequences } from './encoding.ts'

const SAMPLING = ['temperature', 'top_p', 'top_k'] as const

/** A field that says how the next token is chosen. */
type SamplingField = (typeof SAMPLING)[number]

/** How long an answer may be: what the client wants, as far as the model takes it. */
export function outputLimit(
  { max_tokens: wanted }: HubRequest,
  { min, max }: { readonly min: number; readonly max: number | undefined },
  notes: Notes,
): number | undefined {
  if (wanted === undefined) return undefined
  const limit = Math.max(min, Math.min(wanted, max ?? wanted))
  if (limit !== wanted)
    notes.add('max_tokens_changed', 'max_tokens', `${wanted} became ${limit}, which the model accepts`)
  return limit
}

/** The fields of sampling that the model takes. */
export function encodeSampling(
  request: HubRequest,
  taken: readonly SamplingField[],
  { notes }: Encoding,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const field of SAMPLING) {
    if (request[field] === undefined || request[field] === null) continue
    if (taken.includes(field)) fields[field] = request[field]
    else notes.add('sampling_dropped', field, 'the model refuses this field')
  }
  return fields
}

/** Notes that the stop sequences are more than the upstream takes; whether they are. */
export function noteStopMatchedHere(request: HubRequest, taken: number, { notes }: Encoding): boolean {
  if (stopSequences(request).length <= taken) return false
  const number = taken === 0 ? 'none' : String(taken)
  notes.add(
    'stop_matched_here',
    'stop_sequences',
    `the upstream takes ${number}: matched in its answer instead`,
  )
  return true
}
