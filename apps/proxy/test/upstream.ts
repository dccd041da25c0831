import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from './eventually.ts'

/** A request as the upstream saw it. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[]
  /** The body as it came. */
  readonly bytes: Buffer
  /** The body, parsed. */
  readonly body: ChatBody
  /** Settles when the connection of the answer is closed or the answer is complete. */
  readonly over: Promise<void>
}

/** What the tests look at in a chat request. */
export interface ChatBody {
  readonly model: string
  readonly stream?: boolean
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

/** What the upstream does with a request; the number counts requests from 0. */
export type Script = (seen: SeenRequest, response: ServerResponse, number: number) => void | Promise<void>

/** An upstream that does what its script says. */
export interface Upstream {
  /** The base URL with its version, as OpenAI's clients are given. */
  readonly url: string
  readonly origin: string
  readonly seen: readonly SeenRequest[]
  request(number: number): Promise<SeenRequest>
  close(): Promise<void>
}

/** Starts an upstream on a free port of the loopback interface. */
export async function startUpstream(script: Script): Promise<Upstream> {
  const seen: SeenRequest[] = []
  const server = createServer((request, response) => {
    void readSeen(request, response).then((record) => {
      seen.push(record)
      return script(record, response, seen.length - 1)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${origin}/v1`,
    origin,
    seen,
    request: (number) => eventually(() => seen[number], `request ${number}`),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readSeen(request: IncomingMessage, response: ServerResponse): Promise<SeenRequest> {
  const over = new Promise<void>((resolve) => response.once('close', () => resolve()))
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const bytes = Buffer.concat(pieces)
  const { method = '', url: path = '', headers, rawHeaders } = request
  const body = (bytes.length === 0 ? {} : JSON.parse(bytes.toString())) as ChatBody
  return { method, path, headers, rawHeaders, bytes, body, over }
}
