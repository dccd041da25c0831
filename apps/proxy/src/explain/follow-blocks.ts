import {
  type DialectName,
  type EncodedRequest,
  type HubRequest,
  type Note,
  type Profile,
  registry,
  type UpstreamDialect,
} from '@hydra/core'
import { blockWords, isBlank } from './block-words.ts'
import { codesAt } from './codes-at.ts'
import { dye } from './dye.ts'
import { type Destination, OutputPlaces } from './output-places.ts'
import { type Piece, piecesOf } from './pieces.ts'

/** What a request is translated with. */
export interface ExplainTarget {
  readonly dialect: DialectName
  readonly profile: Profile
  readonly model: string
}

/** What became of a block. A `blank` one says nothing, so nothing was lost; an `unknown` one could not be followed. */
export type Fate = 'arrived' | 'dropped' | 'blank' | 'unknown'

/** One block of the request, and where it went. */
export interface ExplainedBlock {
  readonly path: string
  /** Its short name: `system.0`, `[2].1`. */
  readonly label: string
  /** None for the system prompt. */
  readonly messageIndex: number | undefined
  readonly type: string
  /** What it says, shortened. */
  readonly words: string
  readonly fate: Fate
  readonly to: readonly Destination[]
  /** The codes of the notes about it. */
  readonly notes: readonly string[]
}

/** A translation, and all that was noted on the way. */
export interface Translated {
  readonly target: ExplainTarget
  readonly encoded: EncodedRequest
  readonly notes: readonly Note[]
}

/** Says of every block of a request where it is in the translation. */
export function followBlocks(request: HubRequest, { target, encoded, notes }: Translated): ExplainedBlock[] {
  const outline = registry.upstream(target.dialect).outline(encoded.body)
  const output = new OutputPlaces({ request, encoded, outline })
  const places = placesOf(request, target, { encoded, output })
  return piecesOf(request).map((piece, number) => {
    const paths = places(piece, number)
    const { path, label, messageIndex, block } = piece
    const fate = paths === undefined ? 'unknown' : fateOf(piece, paths)
    return {
      path,
      label,
      messageIndex,
      type: block.type,
      words: blockWords(block),
      fate,
      to: output.destinationsOf(paths ?? []),
      notes: fate === 'dropped' ? reasonsFor(piece, notes) : codesAt(notes, path),
    }
  })
}

/** Finds the paths of a piece; undefined if it cannot be followed. */
type Places = (piece: Piece, number: number) => readonly string[] | undefined

interface PlacedOutput {
  readonly encoded: EncodedRequest
  readonly output: OutputPlaces
}

function placesOf(request: HubRequest, target: ExplainTarget, { encoded, output }: PlacedOutput): Places {
  const { dialect, model, profile } = target
  const upstream = registry.upstream(dialect)
  const dyed = dye(request)
  const marked = upstream.encodeRequest(dyed.request, { model, profile })
  // Marks that change what they are to show would lie, so then nothing is said of places.
  if (shapeOf(marked, upstream) !== shapeOf(encoded, upstream)) return () => undefined
  const carrying = dyed.trace(dyed.request)
  const found = dyed.trace(marked.body)
  return (piece, number) => {
    if (carrying.has(number) || isBlank(piece.block)) return found.get(number) ?? []
    return pathsById(piece, output)
  }
}

/** A block that can carry no mark may still be known by the id of its call. */
function pathsById({ block }: Piece, output: OutputPlaces): readonly string[] | undefined {
  if (block.type !== 'tool_result') return undefined
  const paths = output.answers().filter(({ id }) => id === block.tool_use_id)
  return paths.length === 1 ? paths.map(({ path }) => path) : undefined
}

/** The messages of a translation and the notes on it, without their words. */
function shapeOf({ body, notes }: EncodedRequest, upstream: UpstreamDialect): string {
  const messages = upstream.outline(body).map(({ role, calls, results }) => [role, calls, results])
  return JSON.stringify([messages, notes.map(({ code, path }) => [code, path])])
}

function fateOf({ block }: Piece, paths: readonly string[]): Fate {
  if (paths.length > 0) return 'arrived'
  return isBlank(block) ? 'blank' : 'dropped'
}

/** Why a block was dropped: what is noted about it, else about its message, else about others of its kind. */
function reasonsFor({ path, messageIndex, block }: Piece, notes: readonly Note[]): string[] {
  const kind = block.type.replace(/^redacted_/, '')
  const about = `messages[${messageIndex}]`
  const candidates = [
    codesAt(notes, path),
    notes.filter((note) => note.path === about || note.path === `${about}.content`).map(({ code }) => code),
    notes.filter(({ code }) => code.startsWith(`${kind}_`)).map(({ code }) => code),
  ]
  return [...new Set(candidates.find((codes) => codes.length > 0))]
}
