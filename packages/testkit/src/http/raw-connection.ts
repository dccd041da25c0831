import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { eventually } from '../eventually.ts'

/** A request as it is written to a socket. */
export interface RawRequest {
  readonly method?: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** How much of the body is sent; by default all of it. */
  readonly sentBody?: number
}

/** A connection on which a test decides about every byte it sends, and when it reads. */
export class RawConnection {
  readonly #socket: Socket
  readonly #closed: Promise<void>
  #received = ''
  #bytes = 0
  #kept = Infinity

  private constructor(socket: Socket) {
    this.#socket = socket
    this.#closed = new Promise((resolve) => socket.on('close', () => resolve()))
    socket.on('error', () => {})
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      this.#bytes += text.length
      this.#received += text
      if (this.#received.length > this.#kept) this.#received = this.#received.slice(-this.#kept)
    })
  }

  /** Connects to the server of a URL. */
  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    return new RawConnection(socket)
  }

  /** Writes a request. */
  send({ method = 'POST', url, headers = {}, body = '', sentBody = body.length }: RawRequest): void {
    const { host, pathname, search } = new URL(url)
    const all = {
      host,
      'content-type': 'application/json',
      'content-length': String(body.length),
      ...headers,
    }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    this.#socket.write(
      `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n${body.slice(0, sentBody)}`,
      'latin1',
    )
  }

  /** What came so far, one character per byte, headers and framing included. */
  get received(): string {
    return this.#received
  }

  /** How many bytes came so far. */
  get bytes(): number {
    return this.#bytes
  }

  /** Waits until a text has come. */
  async until(text: string): Promise<void> {
    await eventually(() => this.#received.includes(text), `'${text}' on a connection`)
  }

  /** Settles when the connection is closed. */
  closed(): Promise<void> {
    return this.#closed
  }

  /** Keeps no more than the last characters of what comes, for answers that are too long to be looked at. */
  keepLast(characters: number): void {
    this.#kept = characters
  }

  /** Stops reading, as a client does that is busy with something else. */
  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  /** Leaves in an orderly way. */
  leave(): void {
    this.#socket.destroy()
  }

  /** Leaves as if the machine had gone. */
  reset(): void {
    this.#socket.resetAndDestroy()
  }
}
