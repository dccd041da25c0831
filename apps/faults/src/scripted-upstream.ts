import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** What an upstream does with a call; the model's name says which: `cut-120` is the behaviour `cut` with 120. */
export type Behaviour = (socket: Socket, number: number) => void | Promise<void>

/** An upstream on the loopback interface with a hand on every byte. */
export interface ScriptedUpstream {
  readonly url: string
  /** How many connections to it are open. */
  connections(): number
  close(): Promise<void>
}

/** Starts an upstream that knows these behaviours. */
export async function startUpstream(
  behaviours: Readonly<Record<string, Behaviour>>,
): Promise<ScriptedUpstream> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    readCalls(socket, (path, body) => {
      const [name = '', number = '0'] = modelOf(path, body).split('-')
      void behaviours[name]?.(socket, Number(number))
    })
  })
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    connections: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Most dialects name the model in the body, Gemini's in the path. */
function modelOf(path: string, body: string): string {
  const { model } = JSON.parse(body) as { model?: string }
  return model ?? /models\/([^:]+)/.exec(path)?.[1] ?? ''
}

function readCalls(socket: Socket, onCall: (path: string, body: string) => void): void {
  let pending: Buffer = Buffer.alloc(0)
  socket.on('data', (bytes) => {
    pending = pending.length === 0 ? bytes : Buffer.concat([pending, bytes])
    const end = pending.indexOf('\r\n\r\n')
    if (end === -1) return
    const head = pending.toString('latin1', 0, end)
    const total = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (pending.length < total) return
    const body = pending.toString('utf8', end + 4, total)
    pending = pending.subarray(total)
    onCall(head.split(' ', 2)[1] ?? '', body)
  })
}
