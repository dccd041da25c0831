import { Buffer } from 'node:buffer'
import type { EventFrame } from '../redact/event-frame.ts'

const LINE_END = Uint8Array.of(0x5d, 0x0a)

/** What is the same in the lines of all events with one frame: everything but their numbers, times and texts. */
export class FramedLine {
  readonly frame: EventFrame
  readonly head: Uint8Array
  readonly tail: Uint8Array

  /** With what stands between the time and the data. */
  constructor(middle: Uint8Array, frame: EventFrame) {
    this.frame = frame
    this.head = Buffer.concat([middle, frame.json.before])
    this.tail = Buffer.concat([frame.json.after, LINE_END])
  }
}
