import type { LineType, TapeData, TapedExchange } from '@hydra/tape'
import type { AnswerSummary, Ending } from './session-summary.ts'
import { countOf } from './figures.ts'

/** What the lines of one type say in an exchange. */
export function linesOf<Type extends LineType>(exchange: TapedExchange, type: Type): TapeData[Type][] {
  return exchange.moments
    .filter(({ event }) => event[4] === type)
    .map(({ event }) => event[5] as TapeData[Type])
}

/** How an exchange ended. Only what came to its own end on every leg is called clean. */
export function endingOf(exchange: TapedExchange, answer: AnswerSummary | undefined): Ending {
  if (exchange.end === undefined) {
    return { kind: 'interrupted', words: `the recording stops before the end${afterWhat(exchange)}` }
  }
  const [abort] = linesOf(exchange, 'abort')
  if (exchange.end.outcome === 'aborted' || abort?.by === 'client') {
    return { kind: 'aborted', words: `the ${abort?.by ?? 'client'} gave up${because(abort?.reason)}` }
  }
  const trouble = troubleOf(exchange, answer)
  if (trouble !== undefined) return { kind: 'error', words: trouble }
  return { kind: 'clean', words: 'clean' }
}

function troubleOf(exchange: TapedExchange, answer: AnswerSummary | undefined): string | undefined {
  const timeout = linesOf(exchange, 'timeout').at(-1)
  const abort = linesOf(exchange, 'abort').at(-1)
  if (answer?.failure !== undefined) return answer.failure
  if (timeout !== undefined) return `a timeout${because(timeout.reason)}`
  if (abort !== undefined) return `the ${abort.by} gave up${because(abort.reason)}`
  if (exchange.end?.outcome === 'failed') return `failed${statusWords(exchange.answer.status)}`
  return troubleOfClient(exchange) ?? (answer?.whole === false ? 'the answer was cut off' : undefined)
}

/** A tape without a client's request, such as an imported one, has no leg to the client that could be broken. */
function troubleOfClient({ request, answer }: TapedExchange): string | undefined {
  if (request === undefined) return undefined
  if (answer.status === undefined) return 'the client got no answer'
  return answer.ended === 'clean' ? undefined : 'the answer to the client has no end'
}

function afterWhat({ answer, calls }: TapedExchange): string {
  if (answer.chunks.length > 0) return `, after ${countOf(answer.chunks.length, 'chunk')} to the client`
  const chunks = calls.at(-1)?.answer.chunks.length ?? 0
  if (chunks > 0) return `, after ${countOf(chunks, 'chunk')} of the upstream`
  return calls.length > 0 ? ', while the upstream was asked' : ''
}

function because(reason: string | undefined): string {
  return reason === undefined || reason === '' ? '' : `: ${reason}`
}

function statusWords(status: number | undefined): string {
  return status === undefined ? '' : ` with status ${status}`
}
