import { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ReplyListener, Responder } from '../exchange/exchange.ts'
import { awaitRest } from './await-rest.ts'

/** From this length on it pays to encode text ourselves: Node would reserve three times the room it needs. */
const LONG_TEXT = 512

/**
 * Writes an answer to Node's response. The pieces of a chunked body after the first go straight to the socket,
 * framed here: Node would hand the kernel each of them in three parts, which costs half as much again.
 */
export class NodeResponder implements Responder {
  readonly #response: ServerResponse
  #socket: Socket | undefined
  #isOver = false
  isGone = false
  listener: ReplyListener | undefined
  readonly #onDrain = (): void => this.listener?.drained()

  constructor(response: ServerResponse) {
    this.#response = response
    response.on('drain', this.#onDrain)
    response.on('close', () => this.#closed())
    response.on('error', () => this.#closed())
    if (response.destroyed) this.#closed()
  }

  head(status: number, headers: Readonly<Record<string, string>>): void {
    if (!this.#isOver && !this.#response.headersSent) this.#response.writeHead(status, headers)
  }

  write(piece: string | Uint8Array): boolean {
    if (this.#isOver) return true
    if (this.#socket !== undefined && typeof piece === 'string') return this.#socket.write(framed(piece))
    const isReady = this.#response.write(toBytes(piece))
    this.#socket ??= this.#directSocket()
    return isReady
  }

  end(piece?: string | Uint8Array): void {
    if (this.#isOver) return
    this.#leave()
    this.#response.end(piece === undefined ? undefined : toBytes(piece))
    if (!this.#response.req.complete) awaitRest(this.#response.req)
  }

  close(piece?: string): void {
    if (this.#isOver) return
    this.#leave()
    const { socket } = this.#response
    if (piece === undefined) socket?.destroy()
    else this.#response.end(piece, () => socket?.destroySoon())
  }

  /** The socket, if what is written to it goes out as the response would send it: nothing sits in between. */
  #directSocket(): Socket | undefined {
    const response = this.#response
    const { socket } = response
    if (socket === null || !response.chunkedEncoding) return undefined
    if (
      response.write !== ServerResponse.prototype.write ||
      response.writableLength > socket.writableLength
    ) {
      return undefined
    }
    socket.on('drain', this.#onDrain)
    return socket
  }

  #leave(): void {
    this.#isOver = true
    this.#socket?.off('drain', this.#onDrain)
    // Node keeps a response for some time after its end; what the answer was made from need not stay as long.
    this.listener = undefined
  }

  #closed(): void {
    if (this.#isOver) return
    const { listener } = this
    this.#leave()
    this.isGone = true
    listener?.gone()
  }
}

const encoder = new TextEncoder()
/** Room for the length of a chunk as a hexadecimal number and the line break behind it. */
const HEAD_LENGTH = 10
const LINE_BREAK = '\r\n'

/** A piece of text as one chunk of a chunked body. */
function framed(piece: string): string | Uint8Array {
  if (piece.length < LONG_TEXT) {
    return `${Buffer.byteLength(piece).toString(16)}${LINE_BREAK}${piece}${LINE_BREAK}`
  }
  // Most text takes a byte per character: it is written as if it did, and measured only where it does not.
  return framedWithin(piece, piece.length) ?? framedWithin(piece, Buffer.byteLength(piece)) ?? ''
}

/** The chunk of a text that takes so many bytes at most; undefined if it takes more. */
function framedWithin(piece: string, most: number): Uint8Array | undefined {
  const chunk = Buffer.allocUnsafe(HEAD_LENGTH + most + LINE_BREAK.length)
  const { read, written } = encoder.encodeInto(piece, chunk.subarray(HEAD_LENGTH, HEAD_LENGTH + most))
  if (read < piece.length) return undefined
  const head = written.toString(16) + LINE_BREAK
  const start = HEAD_LENGTH - head.length
  chunk.write(head, start, 'latin1')
  chunk.write(LINE_BREAK, HEAD_LENGTH + written, 'latin1')
  return chunk.subarray(start, HEAD_LENGTH + written + LINE_BREAK.length)
}

function toBytes(piece: string | Uint8Array): string | Uint8Array {
  return typeof piece === 'string' && piece.length >= LONG_TEXT ? Buffer.from(piece) : piece
}
