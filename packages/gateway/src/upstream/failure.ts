import { HubError } from '@hydra/core'
import type { Secret } from '../secret.ts'

/** Codes of errors after which the same call may well succeed. */
const CONNECTION_CODES: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
])

/** A call that did not bring an answer, as the error for the client: which upstream, and what happened. */
export function connectionError(thrown: unknown, upstream: string): HubError {
  if (thrown instanceof HubError) return thrown
  const code = codeOf(thrown)
  const reason = CONNECTION_CODES.has(code) ? describe(code) : describeOther(code)
  return new HubError('api_error', `upstream ${upstream}: ${reason}`, { status: 502, cause: thrown })
}

function codeOf(thrown: unknown): unknown {
  if (typeof thrown !== 'object' || thrown === null) return undefined
  const { code, cause } = thrown as { code?: unknown; cause?: unknown }
  // Node's parser of HTTP gives its errors a name, but not always a code.
  if (thrown instanceof Error && thrown.name === 'HTTPParserError') return 'HPE'
  return code ?? codeOf(cause)
}

function describe(code: unknown): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'the connection was refused: is it running?'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'its host name was not found'
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return 'it could not be reached in time'
    default:
      return `the connection broke (${String(code)})`
  }
}

/** Only codes are quoted: the words of an unknown error may hold anything. */
function describeOther(code: unknown): string {
  if (typeof code !== 'string') return 'the connection failed'
  if (code.startsWith('HPE')) return 'what it sent is not HTTP'
  // Calls that we give up ourselves have reasons of our own: what is left is a tunnel that was not opened.
  if (code === 'UND_ERR_ABORTED') return 'the HTTP proxy on the way refused it'
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return 'it does not speak TLS here: is its address http://?'
  if (code.includes('CERT') || code.includes('VERIFY')) return `its certificate is not trusted (${code})`
  return /^[A-Z_]+$/.test(code) ? `the connection failed (${code})` : 'the connection failed'
}

/** An error without the key that an upstream may have quoted in its words. */
export function withoutKey(error: HubError, key: Secret | undefined): HubError {
  return key === undefined ? error : error.hiding((text) => key.hideIn(text))
}

const RETRYABLE: ReadonlySet<number> = new Set([408, 409, 429, 500, 502, 503, 504, 529])

/** Whether the same call is worth another try. */
export function isRetryable(error: HubError): boolean {
  return error.shouldRetry ?? RETRYABLE.has(error.status)
}
