import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/** A request as it came over the wire. */
export interface WireRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** One connection to the upstream, with a hand on every byte. */
export interface Wire {
  readonly socket: Socket
  /** Resolves when the connection is closed, by whomever. */
  readonly closed: Promise<void>
  /** Resolves when the bytes are out of our hands. */
  write(bytes: string | Uint8Array): Promise<void>
  /** Writes and closes properly, or with a reset. */
  end(bytes?: string | Uint8Array): void
  reset(): void
}

/** What the upstream does with a request; the index counts requests from 0. */
export type Script = (wire: Wire, request: WireRequest, index: number) => void | Promise<void>

/** An upstream that does exactly what its script says. */
export interface ScriptedUpstream {
  readonly url: string
  readonly requests: readonly WireRequest[]
  readonly wires: readonly Wire[]
  close(): Promise<void>
}

/** Starts an upstream on the loopback interface. */
export async function scriptedUpstream(script: Script): Promise<ScriptedUpstream> {
  const requests: WireRequest[] = []
  const wires: Wire[] = []
  const server: Server = createServer((socket) => {
    const wire = wireOf(socket)
    wires.push(wire)
    readRequests(socket, (request) => {
      requests.push(request)
      void script(wire, request, requests.length - 1)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    wires,
    async close() {
      for (const { socket } of wires) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function wireOf(socket: Socket): Wire {
  socket.on('error', () => {})
  socket.setNoDelay(true)
  return {
    socket,
    closed: new Promise((resolve) => {
      socket.once('close', () => resolve())
    }),
    write: (bytes) =>
      new Promise((resolve) => {
        if (!socket.write(bytes, () => resolve())) socket.once('close', () => resolve())
      }),
    end(bytes) {
      if (bytes === undefined) socket.end()
      else socket.end(bytes)
    },
    reset: () => socket.resetAndDestroy(),
  }
}

/** Reads requests with a length, one after the other. */
function readRequests(socket: Socket, onRequest: (request: WireRequest) => void): void {
  let pending = Buffer.alloc(0)
  socket.on('data', (bytes) => {
    pending = Buffer.concat([pending, bytes])
    const end = pending.indexOf('\r\n\r\n')
    if (end === -1) return
    const [first = '', ...lines] = pending.subarray(0, end).toString('latin1').split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => {
        const at = line.indexOf(':')
        return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
      }),
    )
    const total = end + 4 + Number(headers['content-length'] ?? 0)
    if (pending.length < total) return
    const body = pending.subarray(end + 4, total).toString()
    pending = pending.subarray(total)
    onRequest({ path: first.split(' ')[1] ?? '', headers, body })
  })
}
