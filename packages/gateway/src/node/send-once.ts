import type { Dispatcher } from 'undici'
import type { UpstreamCall } from '../upstream/transport.ts'

/** Smaller bodies are sent as they are: to let go of them would cost more than to keep them. */
const LARGE = 16 * 1024

/** A body that is given once, and forgotten then. */
class SentOnce implements Iterable<Uint8Array> {
  #bytes: Uint8Array | undefined

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  *[Symbol.iterator](): Generator<Uint8Array, void> {
    const bytes = this.#bytes
    this.#bytes = undefined
    if (bytes !== undefined) yield bytes
  }
}

/**
 * The headers and the body of a call for undici, which keeps what it is given until the answer is over. An agent sends
 * its whole history, and an answer may take minutes: so many bytes would not only stay in memory, they would also grow
 * old there, and only a full collection would free them.
 */
export function sendOnce({
  headers,
  body,
}: UpstreamCall): Pick<Dispatcher.DispatchOptions, 'headers' | 'body'> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  if (bytes.length < LARGE) return { headers, body: bytes }
  return {
    // Without a length it would be sent in chunks, which not every upstream reads.
    headers: { ...headers, 'content-length': String(bytes.length) },
    // undici documents iterables, its types do not know them.
    body: new SentOnce(bytes) as unknown as Uint8Array,
  }
}
