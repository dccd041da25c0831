import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { messagesBody } from './proxy.ts'

/** A client that can leave at any time and in any way. */
export interface RawClient {
  readonly socket: Socket
  /** All that came so far. */
  readonly received: () => string
  /** Sends what was held back of the request. */
  sendRest(): void
  leave(how: Leaving): void
}

/** How a client leaves: with a reset, or by closing properly. */
export type Leaving = 'RST' | 'FIN'

interface RawRequest {
  readonly path?: string
  /** What the body says beyond the usual. */
  readonly fields?: object
  /** How many bytes of the request are sent; by default all of them. */
  readonly bytes?: number
  /** How many bytes of the body are sent; by default all of them. */
  readonly sentBody?: number
}

/** Connects and sends a request, or the beginning of one. */
export async function rawClient(
  port: number,
  { path = '/v1/messages', fields, bytes = Infinity, sentBody = Infinity }: RawRequest = {},
): Promise<RawClient> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('error', () => {})
  socket.on('data', (piece) => {
    received += piece.toString('latin1')
  })
  await once(socket, 'connect')
  const body = messagesBody(fields)
  const lines = [
    `POST ${path} HTTP/1.1`,
    'host: localhost',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  const head = `${lines.join('\r\n')}\r\n\r\n`
  const sent = (head + body.slice(0, sentBody)).slice(0, bytes)
  socket.write(sent)
  return {
    socket,
    received: () => received,
    sendRest: () => void socket.write((head + body).slice(sent.length)),
    leave(how) {
      if (how === 'RST') socket.resetAndDestroy()
      else socket.end()
    },
  }
}
