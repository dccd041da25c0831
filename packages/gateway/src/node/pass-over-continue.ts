const CONTINUE = /^HTTP\/1\.[01] 1\d\d[ \r]$/
const USUAL = 'HTTP/1.1 100 '
/** The position of the last digit of a status. */
const LAST_DIGIT = 'HTTP/1.1 10'.length
const HEAD_END = '\r\n\r\n'
/** A head that is longer is for the parser to refuse. */
const MAX_HEAD_BYTES = 32 * 1024

/** What has come of heads. */
interface HeadsRead {
  /** How many bytes may go to the parser; the others may be the beginning of a status before the answer. */
  readonly ready: number
  /** The head of the answer itself has begun. */
  readonly isOver: boolean
}

/**
 * undici takes a `100 Continue` that it has not asked for for a broken answer, though every client has to expect one
 * at any time. It passes over other statuses of this kind, so the last digit is changed, wherever a read cuts them.
 */
export function passOverContinue(bytes: Buffer): HeadsRead {
  let at = 0
  for (;;) {
    const begin = bytes.toString('latin1', at, at + USUAL.length)
    if (!CONTINUE.test(begin + USUAL.slice(begin.length))) return { ready: bytes.length, isOver: true }
    const end = bytes.indexOf(HEAD_END, at)
    if (end === -1) {
      const isLong = bytes.length - at > MAX_HEAD_BYTES
      return { ready: isLong ? bytes.length : at, isOver: isLong }
    }
    if (begin.includes(' 100')) bytes.write('3', at + LAST_DIGIT)
    at = end + HEAD_END.length
  }
}
