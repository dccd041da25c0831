import { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type ReplyListener, type Responder, tookNothing } from '../exchange/exchange.ts'
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
  patience: number = Infinity
  listener: ReplyListener | undefined
  /** What the connection's time limit was before ours took its place. */
  #usualTimeout: number | undefined
  readonly #onDrain = (): void => {
    if (this.#isOver) return
    this.#stopWaiting()
    this.listener?.drained()
  }
  readonly #onTimeout = (): void => {
    const { listener } = this
    const { socket } = this.#response
    if (!this.#isOver) {
      this.#leave()
      this.isGone = true
      listener?.gone(tookNothing(this.patience))
    }
    socket?.destroy()
  }

  constructor(response: ServerResponse) {
    this.#response = response
    response.on('drain', this.#onDrain)
    response.on('close', () => this.#closed())
    response.on('error', () => this.#closed())
    if (response.destroyed) this.#closed()
  }

  head(status: number, headers: Readonly<Record<string, string>>): void {
    if (this.#isOver || this.#response.headersSent) return
    if (!this.#wouldCutRequest()) {
      this.#response.writeHead(status, headers)
      return
    }
    this.#response.statusCode = status
    for (const [name, value] of Object.entries(headers)) this.#response.setHeader(name, value)
  }

  write(piece: string | Uint8Array): boolean {
    if (this.#isOver) return true
    const isReady = this.#writeNow(piece)
    if (!isReady) this.#waitForClient()
    return isReady
  }

  end(piece?: string | Uint8Array): void {
    if (this.#isOver) return
    this.#leave()
    const bytes = piece === undefined ? undefined : toBytes(piece)
    if (this.#wouldCutRequest()) {
      this.#endAfterRequest(bytes)
      return
    }
    this.#response.end(bytes)
    this.#waitForTheRest()
    if (!this.#response.req.complete) awaitRest(this.#response.req)
  }

  close(piece?: string | Uint8Array): void {
    if (this.#isOver) return
    this.#leave()
    const { socket } = this.#response
    if (piece === undefined) {
      socket?.destroy()
      return
    }
    this.#response.end(piece, () => socket?.destroySoon())
    this.#waitForTheRest()
  }

  breakOff(piece: string | Uint8Array): void {
    if (this.#isOver) return
    this.#leave()
    const { socket } = this.#response
    this.#response.write(piece, () => socket?.destroySoon())
    this.#waitForTheRest()
  }

  /** Node closes such a connection with the end of the answer, even if the client is still sending. */
  #wouldCutRequest(): boolean {
    const response = this.#response
    const isLast = !response.shouldKeepAlive || response.getHeader('connection') === 'close'
    return isLast && !response.req.complete
  }

  /**
   * The answer goes out now, and the connection is closed when the request is there or has had its time. To close it
   * while bytes of the client wait unread is a reset, and what the client had not read by then is lost to it.
   */
  #endAfterRequest(bytes: string | Uint8Array | undefined): void {
    const { req: request } = this.#response
    // With its length the client knows that it has all of it, before the end comes.
    if (!this.#response.headersSent)
      this.#response.setHeader('content-length', Buffer.byteLength(bytes ?? ''))
    if (bytes === undefined) this.#response.flushHeaders()
    else this.#response.write(bytes)
    request.once('end', () => this.#response.end())
    request.resume()
    awaitRest(request)
    this.#waitForTheRest()
  }

  #writeNow(piece: string | Uint8Array): boolean {
    if (this.#socket !== undefined && typeof piece === 'string') return this.#socket.write(framed(piece))
    const isReady = this.#response.write(toBytes(piece))
    this.#socket ??= this.#directSocket()
    return isReady
  }

  /**
   * A client that stops reading would hold its connection and the upstream's for ever. Node's own time limit of a
   * connection knows whether the other side takes anything.
   */
  #waitForClient(): void {
    const { socket } = this.#response
    if (socket === null || this.#usualTimeout !== undefined || this.patience === Infinity) return
    this.#usualTimeout = socket.timeout ?? 0
    socket.setTimeout(this.patience)
    this.#response.once('timeout', this.#onTimeout)
  }

  /** Everything was written; what of it waits for the client must not wait for ever either. */
  #waitForTheRest(): void {
    const { socket } = this.#response
    this.#waitForClient()
    if (this.#usualTimeout !== undefined) this.#response.once('finish', () => this.#stopWaiting(socket))
  }

  #stopWaiting(socket: Socket | null = this.#response.socket): void {
    if (this.#usualTimeout === undefined) return
    this.#response.off('timeout', this.#onTimeout)
    // After a complete answer Node sets the time limit of connections without a request, which stays.
    if (socket?.timeout === this.patience) socket.setTimeout(this.#usualTimeout)
    this.#usualTimeout = undefined
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

/** The chunk of a text that takes at most `most` bytes; undefined if it takes more. */
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
