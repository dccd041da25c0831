import { viewOf } from './known-bytes.ts'

/** To copy fewer bytes than this costs less than to make a view of them. */
const MAX_COPIED = 16 * 1024

const room = new Uint8Array(MAX_COPIED)
const roomView = viewOf(room)

/** Bytes that are read one by one and eight at a time, until others are shown. What is behind `end` does not count. */
export class VisibleBytes {
  bytes: Uint8Array = room
  view: DataView = roomView
  end = 0

  show(bytes: Uint8Array): void {
    const isCopied = bytes.length <= MAX_COPIED
    if (isCopied) room.set(bytes)
    this.bytes = isCopied ? room : bytes
    this.view = isCopied ? roomView : viewOf(bytes)
    this.end = bytes.length
  }
}
