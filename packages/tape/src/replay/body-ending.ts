import { HubError } from '@hydra/core'
import type { TapeData } from '../format/lines.ts'
import type { TapedCall, TapedExchange } from '../format/tape.ts'
import { callerOf } from './caller.ts'
import { failureInAnswer } from './failure-in-answer.ts'
import type { BodyEnding } from './play-answer.ts'

/** How the answer of an exchange's last call ended, as the gateway took it. */
export function bodyEndingOf(exchange: TapedExchange, call: TapedCall): BodyEnding {
  const { ended } = call.answer
  if (ended === 'clean') return 'end'
  const aborts = abortsOfLastCall(exchange)
  // The client was gone before it went on.
  if (aborts.some(({ by }) => by === 'client')) return 'open'
  const reason = timeoutOf(exchange)
  if (ended === 'open' && reason === undefined) return 'open'
  // What broke and in which words is the gateway's to say: the translation only passes it on.
  const failure = failureInAnswer(exchange.answer, callerOf(exchange).dialect)
  if (failure !== undefined) return { failure }
  if (reason !== undefined) return { failure: new HubError('timeout_error', named(call, reason)) }
  return { failure: abortFailure(call, aborts[0]) }
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
