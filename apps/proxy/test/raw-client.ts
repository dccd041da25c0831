import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { messagesBody } from './requests.ts'

/** A client that speaks to the proxy by hand. */
export interface RawClient {
  readonly socket: Socket
  /** All that came so far. */
  received(): string
  readonly closed: Promise<void>
}

/** Connects; nothing is sent. */
export async function rawConnection(port: number): Promise<RawClient> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('error', () => {})
  socket.on('data', (piece) => (received += piece.toString()))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await once(socket, 'connect')
  return { socket, received: () => received, closed }
}

/** Connects and asks for a stream; the connection is kept for more. */
export async function rawStream(port: number, fields: object = {}): Promise<RawClient> {
  const client = await rawConnection(port)
  const body = messagesBody({ stream: true, ...fields })
  const head = [
    'POST /v1/messages HTTP/1.1',
    'host: localhost',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  client.socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  return client
}

/** Whether a connection is refused. */
export function isRefused(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', () => resolve(true))
  })
}
