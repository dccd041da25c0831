import type { Responder } from '@hydra/gateway'

/** A part of an answer that another process writes. */
export type ReplyMessage =
  | { readonly type: 'head'; readonly status: number; readonly headers: Record<string, string> }
  | { readonly type: 'write' | 'end'; readonly piece?: string | Uint8Array | undefined }

/** An answer that another process writes to its client. */
export class RelayedReply implements Responder {
  readonly #send: (message: ReplyMessage) => void
  readonly #onOver: () => void
  listener: Responder['listener']
  isGone = false

  constructor(send: (message: ReplyMessage) => void, onOver: () => void) {
    this.#send = send
    this.#onOver = onOver
  }

  head(status: number, headers: Readonly<Record<string, string>>): void {
    this.#send({ type: 'head', status, headers: { ...headers } })
  }

  write(piece: string | Uint8Array): boolean {
    this.#send({ type: 'write', piece })
    // The other process says when there is room for more.
    return false
  }

  end(piece?: string | Uint8Array): void {
    this.#send({ type: 'end', piece })
    this.#leave()
  }

  close(piece?: string | Uint8Array): void {
    this.end(piece)
  }

  breakOff(piece: string | Uint8Array): void {
    this.end(piece)
  }

  drained(): void {
    this.listener?.drained()
  }

  gone(): void {
    if (this.isGone) return
    this.#leave()
    this.listener?.gone()
  }

  #leave(): void {
    this.isGone = true
    this.#onOver()
  }
}
