import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ending, Step } from './step.ts'

const CHUNK_END = Buffer.from('\r\n')

/** Plays steps on a socket, byte by byte where that is asked for. */
export class Wire {
  readonly #socket: Socket
  readonly #closed: Promise<void>
  #sent = 0
  #limit = Infinity
  #endAtLimit: Ending = 'reset'
  #isChunked = false
  #isCut = false

  constructor(socket: Socket, closed: Promise<void>) {
    this.#socket = socket
    this.#closed = closed
  }

  /** How many bytes the operating system has taken, headers and framing included. */
  get sent(): number {
    return this.#sent
  }

  /** Whether the script itself has ended the connection. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** Plays all steps and completes the body; true when nothing came in between. */
  async play(steps: Iterable<Step> | AsyncIterable<Step>): Promise<boolean> {
    for await (const step of steps) {
      await this.#do(step)
      if (!this.#isOpen) return false
    }
    if (this.#isChunked) await this.#write(Buffer.from('0\r\n\r\n'))
    return this.#isOpen
  }

  get #isOpen(): boolean {
    return !this.#isCut && !this.#socket.destroyed
  }

  async #do(step: Step): Promise<void> {
    switch (step.do) {
      case 'head':
        return this.#head(step.status, step.headers)
      case 'body':
        return this.#write(this.#framed(Buffer.from(step.bytes)))
      case 'raw':
        return this.#write(Buffer.from(step.bytes))
      case 'pause':
        return sleep(step.milliseconds)
      case 'hang':
        return this.#closed
      case 'cut':
        return this.#cut(step.by)
      case 'limit':
        this.#limit = step.bytes
        this.#endAtLimit = step.by
    }
  }

  async #head(status: number, headers: Readonly<Record<string, string>>): Promise<void> {
    this.#isChunked = headers['content-length'] === undefined
    const lines = Object.entries({
      ...headers,
      ...(this.#isChunked && { 'transfer-encoding': 'chunked' }),
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    await this.#write(Buffer.from(`HTTP/1.1 ${status} Scripted\r\n${lines.join('')}\r\n`))
  }

  #framed(bytes: Buffer): Buffer {
    // An empty chunk would be the end of the body.
    if (!this.#isChunked || bytes.length === 0) return bytes
    return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, CHUNK_END])
  }

  async #write(bytes: Buffer): Promise<void> {
    const allowed = bytes.subarray(0, this.#limit - this.#sent)
    if (this.#isOpen && allowed.length > 0) await this.#flush(allowed)
    if (this.#sent >= this.#limit) this.#cut(this.#endAtLimit)
  }

  #flush(bytes: Buffer): Promise<void> {
    const flushed = new Promise<void>((resolve) => {
      this.#socket.write(bytes, (error) => {
        if (!error) this.#sent += bytes.length
        resolve()
      })
    })
    return Promise.race([flushed, this.#closed])
  }

  #cut(by: Ending): void {
    if (this.#isCut) return
    this.#isCut = true
    if (by === 'close') this.#socket.end()
    else this.#socket.resetAndDestroy()
  }
}
