import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readTape, TAPE_FILE, type Tape } from '@hydra/tape'
import type { ExchangeSummary } from '../summary/session-summary.ts'
import { summarizeSession } from '../summary/summarize-session.ts'
import { type ReadTape, readTapePages, sessionEntry, type SummarizedTape } from '../page/tape-pages.ts'
import type { ExchangeEntry, ExchangePage, SessionEntry } from '../page/page-data.ts'
import { PieceTable } from '../page/request-parts.ts'
import { searchText } from '../page/search-text.ts'
import type { EntryListener } from './live-reader.ts'

/** More tapes than these are not listed, the newest first, and larger ones are left out. */
const MAX_TAPES = 100
const MAX_TAPE_BYTES = 32 * 1024 * 1024
/** How many tapes are kept after somebody has looked at them. */
const MAX_OPEN = 3

interface ListedTape {
  readonly session: SessionEntry
  readonly entries: readonly ExchangeEntry[]
  readonly texts: ReadonlyMap<string, string>
}

/** The tapes of a folder as they were when the process began; what came later is in the live store. */
export class TapeLibrary {
  readonly #folders: readonly string[]
  readonly #until: number
  readonly #listed = new Map<string, ListedTape>()
  readonly #open = new Map<string, SummarizedTape>()

  /** The time is in milliseconds since the epoch. */
  constructor(folder: string, now: number) {
    this.#folders = tapeFolders(folder)
    this.#until = now
  }

  /** Tells what is on the tapes, one tape at a time. */
  async list(listener: EntryListener, isOver: () => boolean): Promise<void> {
    for (const place of this.#folders.keys()) {
      // Between two tapes the traffic goes on.
      // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
      await new Promise((resolve) => setImmediate(resolve))
      if (isOver()) return
      const tape = this.#listedTape(`tape-${place}`)
      if (tape === undefined || tape.entries.length === 0) continue
      listener.session(tape.session)
      for (const entry of tape.entries) listener.entry(entry)
    }
  }

  page(id: string): (ExchangePage & { readonly entry: ExchangeEntry }) | undefined {
    const summarized = this.#summarized(keyOf(id))
    if (summarized === undefined) return undefined
    const table = new PieceTable()
    const found = this.#read(summarized, keyOf(id), table).find(({ entry }) => entry.id === id)
    if (found === undefined) return undefined
    return { ...found.page(), pieces: table.list, entry: found.entry }
  }

  summary(id: string): ExchangeSummary | undefined {
    const number = Number(id.slice(keyOf(id).length + 1))
    return this.#summarized(keyOf(id))?.summary.exchanges.find((exchange) => exchange.number === number)
  }

  search(words: readonly string[]): string[] {
    return [...this.#listed.values()].flatMap(({ texts }) =>
      [...texts].flatMap(([id, text]) => (words.every((word) => text.includes(word)) ? [id] : [])),
    )
  }

  #listedTape(key: string): ListedTape | undefined {
    const known = this.#listed.get(key)
    if (known !== undefined) return known
    const summarized = this.#summarized(key)
    if (summarized === undefined) return undefined
    const entries = this.#read(summarized, key, new PieceTable()).map(({ entry }) => entry)
    const texts = new Map(
      summarized.summary.exchanges.map(
        (summary) => [`${key}-${summary.number}`, searchText(summary)] as const,
      ),
    )
    const listed = { session: sessionEntry(summarized, key), entries, texts }
    this.#listed.set(key, listed)
    return listed
  }

  #read(summarized: SummarizedTape, key: string, table: PieceTable): ReadTape[] {
    return readTapePages(summarized, sessionEntry(summarized, key), table).filter(
      ({ entry }) => entry.begun < this.#until,
    )
  }

  #summarized(key: string): SummarizedTape | undefined {
    const known = this.#open.get(key)
    if (known !== undefined) return known
    const folder = this.#folders[Number(key.slice('tape-'.length))]
    const tape = folder === undefined ? undefined : opened(folder)
    if (tape === undefined) return undefined
    const summarized = { tape, summary: summarizeSession(tape) }
    this.#open.set(key, summarized)
    const [oldest] = this.#open.keys()
    if (this.#open.size > MAX_OPEN && oldest !== undefined) this.#open.delete(oldest)
    return summarized
  }
}

/** The key of the tape that an exchange is on. */
function keyOf(id: string): string {
  return id.slice(0, id.lastIndexOf('-'))
}

function opened(folder: string): Tape | undefined {
  try {
    return readTape(folder)
  } catch {
    // It is not what it seems to be; `hydra-tape verify` says more.
    return undefined
  }
}

/** By their names, which begin with the time. */
function tapeFolders(folder: string): string[] {
  try {
    return readdirSync(folder)
      .toSorted()
      .toReversed()
      .map((name) => join(folder, name))
      .filter(isReadable)
      .slice(0, MAX_TAPES)
  } catch {
    return []
  }
}

function isReadable(folder: string): boolean {
  const file = statSync(join(folder, TAPE_FILE), { throwIfNoEntry: false })
  return file !== undefined && file.size <= MAX_TAPE_BYTES
}
