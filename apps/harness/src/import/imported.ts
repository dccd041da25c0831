import type { Via } from '@hydra/tape'

/** Headers by their names, as a source has them. */
export type SourceHeaders = Readonly<Record<string, string>>

/** What could be read of a file that is imported. Times are microseconds since the epoch. */
export interface Source {
  /** What made the file, such as `har`. */
  readonly from: string
  /** What a tape holds and this source does not. */
  readonly lacks: readonly string[]
  readonly exchanges: readonly ImportedExchange[]
  readonly skipped: readonly Skipped[]
}

/** A part of the file that is not imported, and why. */
export interface Skipped {
  /** Where in the file, such as `entry 3`. */
  readonly place: string
  readonly reason: string
  /** It is broken, as opposed to something that no tape is about. */
  readonly isBroken: boolean
}

/** One request and its answer, on the only leg that the source knows. */
export interface ImportedExchange {
  readonly leg: 'client' | 'upstream'
  /** When the request went out; undefined if the source does not have it. */
  readonly at: number | undefined
  readonly request: ImportedRequest
  readonly via?: Via
  readonly answer: ImportedAnswer | undefined
  /** What else is to be known. */
  readonly marks: readonly string[]
}

/** A request of a source. */
export interface ImportedRequest {
  readonly method: string
  readonly path: string
  readonly headers: SourceHeaders
  readonly body: string | Uint8Array
}

/** An answer of a source, whose body is one piece. */
export interface ImportedAnswer {
  readonly status: number
  readonly headers: SourceHeaders
  readonly at: number | undefined
  readonly body: string | Uint8Array | undefined
  readonly bodyAt: number | undefined
  /** Why it is not whole, as far as the source says. */
  readonly broken?: string
}

/** What a reader of entries gives for one of them. */
export type Entry =
  | { readonly exchange: ImportedExchange }
  | { readonly reason: string; readonly isBroken: boolean }

/** Sorts what was read of entries from what was not. */
export function sortEntries(
  entries: readonly unknown[],
  read: (entry: unknown) => Entry,
  placeOf: (index: number) => string,
): Pick<Source, 'exchanges' | 'skipped'> {
  const exchanges: ImportedExchange[] = []
  const skipped: Skipped[] = []
  for (const [index, entry] of entries.entries()) {
    const result = attempt(() => read(entry))
    if ('exchange' in result) exchanges.push(result.exchange)
    else skipped.push({ place: placeOf(index), ...result })
  }
  return { exchanges, skipped }
}

function attempt(read: () => Entry): Entry {
  try {
    return read()
  } catch (error) {
    // Nothing but nesting that is too deep to be written as JSON brings a reader down.
    return broken(error instanceof RangeError ? 'it nests too deep' : String(error))
  }
}

/** An entry that makes no sense. */
export function broken(reason: string): Entry {
  return { reason, isBroken: true }
}

/** What captures lack that keep bodies as they were read. */
export const TRANSFER_FORM =
  'the transfer form of bodies: content-encoding, content-length and transfer-encoding are left out'

/** What everything lacks that was not recorded by the proxy. */
export const NOTES = 'notes of a translator'
