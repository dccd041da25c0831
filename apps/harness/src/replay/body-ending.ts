import { type ErrorKind, HubError } from '@hydra/core'
import type { TapeData, TapedAnswer, TapedCall, TapedExchange } from '@hydra/tape'
import type { BodyEnding } from './play-answer.ts'

/** How the answer of an exchange's last call ended, as the gateway took it. */
export function bodyEndingOf(exchange: TapedExchange, call: TapedCall): BodyEnding {
  const { ended } = call.answer
  if (ended === 'clean') return 'end'
  const aborts = abortsOfLastCall(exchange)
  // Nobody was there any more to be told how it went on.
  if (aborts.some(({ by }) => by === 'client')) return 'open'
  const reason = timeoutOf(exchange)
  if (ended === 'open' && reason === undefined) return 'open'
  // What broke and in which words is the gateway's to say: the translation only passes it on.
  const failure = failureTold(exchange.answer)
  if (failure !== undefined) return { failure }
  if (reason !== undefined) return { failure: new HubError('timeout_error', named(call, reason)) }
  return { failure: abortFailure(call, aborts[0]) }
}

/** The error that an answer is, or ends with. */
export function failureTold({ status, chunks }: Pick<TapedAnswer, 'status'> & Told): HubError | undefined {
  const text = Buffer.concat(chunks.map(({ bytes }) => bytes)).toString()
  const json = text.startsWith('{') ? text : /event: error\ndata: ([^\n]*)\n\n$/.exec(text)?.[1]
  if (json === undefined) return undefined
  const { error } = parse(json)
  if (typeof error?.type !== 'string' || typeof error.message !== 'string') return undefined
  const details = status !== undefined && status >= 400 ? { status } : {}
  const told = new HubError(error.type as ErrorKind, error.message, details)
  // A kind that nobody knows has no status.
  return Number.isInteger(told.status) ? told : new HubError('api_error', error.message)
}

interface Told {
  readonly chunks: readonly { readonly bytes: Uint8Array }[]
}

interface ErrorBody {
  readonly error?: { readonly type?: unknown; readonly message?: unknown } | null
}

function parse(json: string): ErrorBody {
  try {
    return (JSON.parse(json) as ErrorBody | null) ?? {}
  } catch {
    return {}
  }
}

function abortFailure(call: TapedCall, abort: TapeData['abort'] | undefined): HubError {
  if (abort?.by === 'proxy') {
    return new HubError('overloaded_error', abort.reason ?? 'the server is shutting down')
  }
  return new HubError('api_error', named(call, abort?.reason ?? 'the connection failed'), { status: 502 })
}

function timeoutOf({ moments }: TapedExchange): string | undefined {
  return moments.flatMap(({ event }) => (event[4] === 'timeout' ? [event[5].reason] : [])).at(-1)
}

/** Who gave up since the last call was made; what came before was about another one. */
function abortsOfLastCall({ moments }: TapedExchange): TapeData['abort'][] {
  const called = moments.findLastIndex(({ leg, event }) => leg === '>u' && event[4] === 'req')
  return moments.slice(called + 1).flatMap(({ event }) => (event[4] === 'abort' ? [event[5]] : []))
}

/** Messages name the upstream that they are about. */
function named({ via }: TapedCall, reason: string): string {
  return reason.startsWith('upstream ') ? reason : `upstream ${via?.upstream ?? '?'}: ${reason}`
}
