import { ByteList } from './byte-list.ts'
import type { Chunks } from './chunks.ts'
import type { EventTemplate } from './event-template.ts'
import { endOfHole } from './holes.ts'

/** Longer chunks are not compared: they are no events of a few words. */
const MAX_CHUNK = 65_536

/** Room for what differs in the events of most moments. */
const INITIAL_PLACES = 256

/** Where an event ends that is none. */
const NO_EVENT = -1

/** The bytes of UTF-8 that no character begins with. */
const FIRST_CONTINUATION = 0x80
const LAST_CONTINUATION = 0xbf

const BACKSLASH = 0x5c

/**
 * Consecutive chunks of events that match one template, and their texts one behind the other. The object is used again for the
 * next run, so that a batch allocates nothing.
 */
export class EventRun {
  /** How many chunks match. */
  count = 0
  /** Where the text of each ends in the texts; entries beyond the count are left from earlier runs. */
  readonly ends: number[] = []
  /** The texts. */
  readonly texts: ByteList = new ByteList()
  /** What else differs between the chunks, each with what is around it up to the next quotes. */
  readonly asides: ByteList = new ByteList()
  /** Where in the bytes what differs begins and ends, for all chunks that were matched since the last reset. */
  places: Int32Array = new Int32Array(INITIAL_PLACES)
  #placeCount = 0
  /** Which place is the first of each chunk; entries of chunks that did not match mean nothing. */
  readonly #firstPlaces: number[] = []

  /** Whether a line of a tape can hold what differs as it is, in UTF-8. */
  get isUtf8(): boolean {
    return this.texts.isUtf8 && this.asides.isUtf8
  }

  /** Matches the chunks from one on, up to the first that does not fit. */
  match(chunks: Chunks, first: number, template: EventTemplate): void {
    this.clear()
    while (first + this.count < chunks.count) {
      const [texts, asides, places] = [this.texts.length, this.asides.length, this.#placeCount]
      this.#firstPlaces[first + this.count] = places
      if (!this.#take(chunks, first + this.count, template)) {
        this.texts.length = texts
        this.asides.length = asides
        this.#placeCount = places
        return
      }
      this.ends[this.count] = this.texts.length
      this.count += 1
    }
  }

  clear(): void {
    this.count = 0
    this.texts.length = 0
    this.asides.length = 0
  }

  /** Which of the places is the first of a chunk that was matched; those of its other holes and events follow. */
  firstPlaceOf(chunk: number): number {
    return this.#firstPlaces[chunk] ?? 0
  }

  /** Other chunks come. */
  reset(): void {
    this.clear()
    this.#placeCount = 0
  }

  /** Copies what fills the holes of a chunk, event by event; false if it does not fit, whatever was copied by then. */
  #take(chunks: Chunks, index: number, template: EventTemplate): boolean {
    const end = chunks.endOf(index)
    let at = chunks.startOf(index)
    if (end - at > MAX_CHUNK) return false
    while (at >= 0 && at < end) at = this.#takeEvent(chunks, at, end, template)
    return at === end
  }

  /** The same for the event at a place of a chunk: where it ends; negative if it does not fit. */
  #takeEvent({ bytes, view }: Chunks, start: number, end: number, { known, holes }: EventTemplate): number {
    let at = start
    for (let part = 0; part < known.length; part += 1) {
      const around = known[part]
      if (around === undefined || !around.isAt(view, at)) return NO_EVENT
      at += around.length
      const hole = holes[part]
      if (hole === undefined) break
      const from = at
      at = endOfHole(bytes, from, end, hole.kind)
      // A text that begins within a character would only be UTF-8 together with the one before it, and what a backslash
      // at the end of one means depends on the next one.
      if (at < from || isContinuation(bytes[from] ?? 0) || bytes[at - 1] === BACKSLASH) return NO_EVENT
      this.#addPlace(from, at)
      if (hole.isText) this.texts.add(bytes, from, at)
      else this.asides.add(bytes, from - hole.before, Math.min(at + hole.behind, end))
    }
    return at
  }

  #addPlace(from: number, to: number): void {
    const count = this.#placeCount
    if (count + 2 > this.places.length) {
      const larger = new Int32Array(2 * this.places.length)
      larger.set(this.places)
      this.places = larger
    }
    this.places[count] = from
    this.places[count + 1] = to
    this.#placeCount = count + 2
  }
}

function isContinuation(byte: number): boolean {
  return byte >= FIRST_CONTINUATION && byte <= LAST_CONTINUATION
}
