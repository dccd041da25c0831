import { Socket } from 'node:net'
import { buildConnector } from 'undici'
import { passOverContinue } from './pass-over-continue.ts'

/**
 * Every connection reads into the same memory, because what came is copied out of it at once. It is twice as large as
 * what Node reads by itself: an answer that is all there is one read then, and one write.
 */
const ARRIVING = Buffer.allocUnsafeSlow(128 * 1024)

/** Bytes of a connection that its parser has not taken yet. */
const WAITING = Symbol('waiting')
/** Whether the parser is being handed what came just now. */
const HANDING = Symbol('handing')

/** Whether the next bytes are the head of an answer. */
const EXPECTING = Symbol('expecting')
/** The beginning of a head whose end has not come. */
const HEAD = Symbol('head')

interface DirectSocket extends Socket {
  [EXPECTING]?: boolean
  [HEAD]?: Buffer | undefined

  [WAITING]?: Buffer | null
  [HANDING]?: boolean
}

/**
 * Opens connections whose bytes go from the read straight to undici's parser.
 *
 * A socket's own stream costs a buffer of 64 KB, a tick and several calls per read, which is more than the
 * translation of an event costs. undici needs no stream: it waits for `readable`, calls `read` until nothing is
 * left, and puts back what it cannot take yet. Just that is what a direct socket offers.
 */
export function directConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector({ ...options, onread: { buffer: ARRIVING, callback: hand } })
  return (target, callback) => {
    connect(target, (...outcome) => {
      const [failure, socket] = outcome
      if (failure === null) readDirectly(socket)
      callback(...outcome)
    })
  }
}

/** What came before this was called waits for the parser like everything else. */
function readDirectly(socket: DirectSocket): void {
  socket[WAITING] ??= null
  Object.assign(socket, { read: take, unshift: putBack })
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean
  // undici writes the head of a request as text, and its body as bytes.
  Object.assign(socket, {
    write: (...args: unknown[]): boolean => {
      if (typeof args[0] === 'string') socket[EXPECTING] = true
      return write(...args)
    },
  })
}

/** Called as a method of the socket; after `false`, Node reads nothing more until the socket's own `read`. */
function hand(this: DirectSocket, size: number): boolean {
  const read = Buffer.allocUnsafe(size)
  ARRIVING.copy(read, 0, 0, size)
  const bytes = this[EXPECTING] === true ? expected(this, read) : read
  if (bytes.length === 0) return true
  // A TLS connection may still have decrypted bytes to hand when it was told to stop.
  this[WAITING] = this[WAITING] ? Buffer.concat([this[WAITING], bytes]) : bytes
  this[HANDING] = true
  this.emit('readable')
  this[HANDING] = false
  return this[WAITING] === null
}

/** What the parser may have of the heads that have come. */
function expected(socket: DirectSocket, read: Buffer): Buffer {
  const held = socket[HEAD]
  const bytes = held === undefined ? read : Buffer.concat([held, read])
  const { ready, isOver } = passOverContinue(bytes)
  socket[EXPECTING] = !isOver
  socket[HEAD] = ready < bytes.length ? bytes.subarray(ready) : undefined
  return bytes.subarray(0, ready)
}

function take(this: DirectSocket, size?: number): Buffer | null {
  const bytes = this[WAITING] ?? null
  if (size !== 0) {
    this[WAITING] = null
    if (bytes !== null || this[HANDING] === true) return bytes
  }
  // Makes Node read on, and emits the end.
  return Socket.prototype.read.call(this, size)
}

function putBack(this: DirectSocket, bytes: Buffer): void {
  if (bytes.length > 0) this[WAITING] = bytes
}
