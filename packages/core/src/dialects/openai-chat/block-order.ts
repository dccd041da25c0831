import { MAX_EVENT_LENGTH } from '../../sse/parse.ts'
import type { BlockWriter } from '../../stream/block-writer.ts'
import { TagLifter } from '../../stream/tag-lifter.ts'
import type { Notes } from '../../hub/note.ts'
import type { Citation } from './citations.ts'
import type { ChatContext } from './profile.ts'
import type { CallAssembler } from './calls.ts'
import { WireFault } from '../../json/wire.ts'

/** More pages than an answer is about; what waits for a text must not fill the memory. */
const MAX_CITATIONS = 1000

/** What an engine needs to keep a piece, however short it is. */
const PIECE_COST = 32

/** Text that arrived while a call was still being written, and has to wait for its turn. */
interface Held {
  readonly kind: 'text' | 'thinking' | 'signature'
  readonly piece: string
}

/** Brings text and thinking to the writer in their place among the calls. */
export class BlockOrder {
  readonly #writer: BlockWriter
  readonly #calls: CallAssembler
  readonly #lifter: TagLifter | undefined
  readonly #notes: Notes
  #held: Held[] = []
  #heldLength = 0
  /** Citations that came where no text is. */
  #citations: Citation[] = []

  constructor({ writer, reply, notes }: ChatContext, calls: CallAssembler) {
    this.#writer = writer
    this.#notes = notes
    this.#calls = calls
    const { thinkingTag } = reply.profile
    const sorted = {
      text: (piece: string): void => this.#write('text', piece),
      thinking: (piece: string): void => this.#write('thinking', piece),
    }
    this.#lifter = thinkingTag === undefined ? undefined : new TagLifter(thinkingTag, sorted)
  }

  text(piece: string): void {
    if (piece === '') return
    if (this.#lifter === undefined) this.#write('text', piece)
    else this.#lifter.push(piece)
  }

  /** Whether words can go out without a look at them. */
  get takesWordsUnread(): boolean {
    return this.#lifter === undefined && this.#calls.count === 0
  }

  /** Whether something waits for the end of a call. */
  get isHolding(): boolean {
    return this.#held.length > 0
  }

  thinking(piece: string): void {
    if (piece !== '') this.#write('thinking', piece)
  }

  signature(value: string): void {
    if (value !== '') this.#write('signature', value)
  }

  /** What the text before this is about, or else the text behind it. */
  cite(citation: Citation): void {
    if (this.#citations.length < MAX_CITATIONS) this.#citations.push(citation)
    else this.#noteCitations()
    this.#tellCitations()
  }

  /** A call begins or goes on: text before it that might have become a tag is text. */
  beforeCall(): void {
    this.#lifter?.flush()
  }

  /** Lets go of text that waited, if the calls before it are complete by now. */
  settle(): void {
    if (this.#held.length > 0 && !this.#calls.unfinished) this.#release()
  }

  /** Nothing more comes: everything goes out as it is. */
  finish(): void {
    this.#lifter?.flush()
    this.#tellCitations()
    this.#calls.closeAll()
    this.#release()
    if (this.#citations.length > 0) this.#noteCitations()
  }

  #tellCitations(): void {
    if (this.#citations.length === 0 || !this.#writer.isInText) return
    for (const citation of this.#citations) this.#writer.extra(citation)
    this.#citations = []
  }

  #noteCitations(): void {
    const message = 'there is no text that it could be about'
    this.#notes.addOnce('annotation_dropped', 'choices[0].delta.annotations', message)
  }

  #write(kind: Held['kind'], piece: string): void {
    if (this.#calls.count > 0) {
      if (this.#held.length > 0 || this.#calls.unfinished) {
        this.#hold({ kind, piece })
        return
      }
      this.#calls.closeAll()
    }
    this.#writer[kind](piece)
    this.#tellCitations()
  }

  #hold(held: Held): void {
    this.#held.push(held)
    this.#heldLength += held.piece.length + PIECE_COST
    if (this.#heldLength <= MAX_EVENT_LENGTH) return
    throw new WireFault(
      'the text behind an unfinished call',
      `at most ${MAX_EVENT_LENGTH} characters`,
      'more',
    )
  }

  #release(): void {
    const held = this.#held
    this.#held = []
    this.#heldLength = 0
    for (const { kind, piece } of held) this.#write(kind, piece)
  }
}
