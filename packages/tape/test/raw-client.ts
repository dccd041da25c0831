import { connect } from 'node:net'

/** What came over a connection, byte for byte. */
export interface RawAnswer {
  readonly head: string
  /** The chunks of the HTTP framing, one character per byte. */
  readonly chunks: readonly string[]
  /** Everything behind the head as it came. */
  readonly rest: string
  /** Whether the last chunk came that ends a body. */
  readonly isWhole: boolean
  /** The code of the error that ended the connection. */
  readonly error: string | undefined
}

/** Sends a request over a socket of its own and reads until the other side ends the connection. */
export function rawRequest(
  origin: string,
  { method = 'POST', path = '/v1/chat/completions', body = '' } = {},
): Promise<RawAnswer> {
  const { hostname, port, host } = new URL(origin)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    const pieces: Buffer[] = []
    let error: string | undefined
    socket.on('data', (piece) => pieces.push(piece))
    socket.on('error', (thrown: NodeJS.ErrnoException) => (error = thrown.code))
    socket.on('close', () => resolve(parse(Buffer.concat(pieces).toString('latin1'), error)))
    const length = Buffer.byteLength(body)
    socket.write(
      `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n${body}`,
    )
  })
}

function parse(text: string, error: string | undefined): RawAnswer {
  const end = text.indexOf('\r\n\r\n')
  const head = text.slice(0, end)
  const rest = end === -1 ? '' : text.slice(end + 4)
  const chunks: string[] = []
  for (let at = 0; ;) {
    const size = /^([0-9a-f]+)\r\n/.exec(rest.slice(at, at + 12))
    const length = Number.parseInt(size?.[1] ?? '0', 16)
    if (size === null || length === 0) return { head, chunks, rest, isWhole: size?.[1] === '0', error }
    const start = at + size[0].length
    chunks.push(rest.slice(start, start + length))
    at = start + length + 2
  }
}
