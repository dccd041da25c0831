import { once } from 'node:events'
import { createServer, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What is sent, and how the connection ends after it. */
export interface CutAnswer {
  readonly bytes: Uint8Array
  readonly status: number
  readonly contentType: string
  readonly by: 'close' | 'reset'
}

/** An upstream whose answers break off. */
export interface CutUpstream {
  readonly url: string
  /** What the next requests are answered with. */
  answer: CutAnswer
  close(): Promise<void>
}

/**
 * Starts an upstream on a loopback port that answers every request with the beginning of a body. Node only parses
 * the request: the answer goes to the socket itself, because Node would complete it.
 */
export async function startCutUpstream(): Promise<CutUpstream> {
  const upstream = {
    answer: { bytes: new Uint8Array(), status: 200, contentType: '', by: 'close' } as CutAnswer,
  }
  const server = createServer((request) => {
    request.resume().once('end', () => {
      const { bytes, status, contentType, by } = upstream.answer
      const { socket } = request
      socket.on('error', () => {})
      const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, `content-type: ${contentType}`]
      socket.write(`${head.join('\r\n')}\r\ntransfer-encoding: chunked\r\n\r\n`)
      if (bytes.length > 0) {
        socket.write(
          Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]),
        )
      }
      if (by === 'close') socket.end()
      // A reset that follows at once overtakes everything; a later one lets most of it arrive.
      else setTimeout(() => socket.resetAndDestroy(), 5)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(upstream, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}
