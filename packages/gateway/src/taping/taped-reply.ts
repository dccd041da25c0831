import type { ReplyListener, Responder } from '../exchange/exchange.ts'
import type { Taping } from './taping.ts'

/** Writes an answer to where it goes, and then to the tape: the client does not wait for the record. */
export class TapedReply implements Responder {
  readonly #reply: Responder
  readonly #taping: Taping

  constructor(reply: Responder, taping: Taping) {
    this.#reply = reply
    this.#taping = taping
  }

  head(status: number, headers: Readonly<Record<string, string>>): void {
    this.#reply.head(status, headers)
    this.#taping.tape.clientHead(status, headers)
  }

  write(piece: string | Uint8Array): boolean {
    const isReady = this.#reply.write(piece)
    this.#taping.tape.clientData(piece)
    return isReady
  }

  end(piece?: string | Uint8Array): void {
    this.#reply.end(piece)
    if (piece !== undefined) this.#taping.tape.clientData(piece)
    this.#taping.tape.clientEnd()
  }

  close(piece?: string | Uint8Array): void {
    this.#reply.close(piece)
    if (piece !== undefined) this.#taping.tape.clientData(piece)
    this.#taping.tape.abort('proxy', 'the answer was broken off')
  }

  breakOff(piece: string | Uint8Array): void {
    this.#reply.breakOff(piece)
    this.#taping.tape.clientData(piece)
    this.#taping.tape.abort('proxy', 'the answer was broken off')
  }

  set patience(milliseconds: number) {
    this.#reply.patience = milliseconds
  }

  get isGone(): boolean {
    return this.#reply.isGone
  }

  get listener(): ReplyListener | undefined {
    return this.#reply.listener
  }

  set listener(listener: ReplyListener | undefined) {
    this.#reply.listener = listener
  }
}
