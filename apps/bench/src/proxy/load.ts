import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 2000 })

/** A request that is sent again and again. */
export interface SentRequest {
  readonly path: string
  readonly body: Buffer
  readonly userAgent?: string | undefined
  /** Hears each piece of an answer as it comes. */
  readonly onPiece?: (piece: Buffer) => void
}

/** Sends one request and reads its answer to the end; the number of bytes that came. */
export function exchange(port: number, { path, body, userAgent, onPiece }: SentRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: 'POST',
        agent,
        headers: {
          'user-agent': userAgent ?? 'bench/1',
          'content-type': 'application/json',
          'content-length': body.length,
        },
      },
      (answer) => {
        let bytes = 0
        answer.on('data', (piece: Buffer) => {
          bytes += piece.length
          onPiece?.(piece)
        })
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve(bytes)
          else reject(new Error(`status ${answer.statusCode}`))
        })
        answer.on('error', reject)
      },
    )
    call.on('error', reject)
    call.end(body)
  })
}

/** Sends many requests over a number of connections. */
export async function load(
  port: number,
  sent: SentRequest,
  { total, connections }: LoadOptions,
): Promise<void> {
  let left = total
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      // oxlint-disable-next-line no-await-in-loop -- a connection carries one request after the other
      await exchange(port, sent)
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
}

/** How many requests, over how many connections. */
export interface LoadOptions {
  readonly total: number
  readonly connections: number
}
