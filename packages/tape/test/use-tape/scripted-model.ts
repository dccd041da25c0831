import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A model that answers every chat with a stream of events, and counts the requests. */
export interface ScriptedModel extends AsyncDisposable {
  readonly url: string
  readonly requests: number
}

/** What it says, in the pieces in which it is sent. */
export const SAID: readonly string[] = ['Hel', 'lo'].map(
  (content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`,
)

/** Starts a model whose answers come in two pieces and a half; with `cut` the connection breaks behind the first. */
export async function scriptedModel({ cut = false, status = 200 } = {}): Promise<ScriptedModel> {
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    request.resume()
    response.writeHead(status, { 'content-type': 'text/event-stream', 'x-request-id': `req_${requests}` })
    const pieces = cut ? SAID.slice(0, 1) : [...SAID, 'data: [DONE]\n\n']
    void send(pieces, (piece) => void response.write(piece)).then(() =>
      cut ? response.socket?.destroy() : response.end(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get requests() {
      return requests
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function send(pieces: readonly string[], write: (piece: string) => void): Promise<void> {
  for (const piece of pieces) {
    write(piece)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await sleep(5)
  }
}
