import type { TextRun } from '../../bytes/text-run.ts'
import { MAX_EVENT_LENGTH } from '../../sse/parse.ts'
import type { BlockWriter } from '../../stream/block-writer.ts'
import { TagLifter } from '../../stream/tag-lifter.ts'
import type { ChatContext } from './profile.ts'
import type { CallAssembler } from './calls.ts'
import { WireFault } from './wire.ts'

/** Text that arrived while a call was still being written, and has to wait for its turn. */
interface Held {
  readonly kind: 'text' | 'thinking' | 'signature'
  readonly piece: string
}

/** Brings text and thinking to the writer in their place among the calls. */
export class Outflow {
  readonly #writer: BlockWriter
  readonly #calls: CallAssembler
  readonly #lifter: TagLifter | undefined
  #held: Held[] = []
  #heldLength = 0

  constructor({ writer, reply }: ChatContext, calls: CallAssembler) {
    this.#writer = writer
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

  /** Text that is still escaped as JSON can be written as it is, without a look at it. */
  get takesEscaped(): boolean {
    return this.#lifter === undefined && this.#calls.count === 0 && this.#writer.takesEscaped
  }

  escapedText(text: string): void {
    this.#writer.escapedText(text)
  }

  escapedRun(texts: TextRun): void {
    this.#writer.escapedRun(texts)
  }

  thinking(piece: string): void {
    if (piece !== '') this.#write('thinking', piece)
  }

  signature(value: string): void {
    if (value !== '') this.#write('signature', value)
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
    this.#calls.closeAll()
    this.#release()
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
  }

  #hold(held: Held): void {
    this.#held.push(held)
    this.#heldLength += held.piece.length
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
