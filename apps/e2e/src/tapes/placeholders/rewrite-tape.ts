import { release } from 'node:os'
import {
  createTape,
  ExchangeWriter,
  type Moment,
  type Tape,
  type TapedExchange,
  type TapedRequest,
  type TapeLine,
} from '@hydra/tape'
import { type Replace, replacedEvents } from './replace.ts'

/** Writes a tape anew with other bodies of requests: line for line, at the same times, with hashes that fit. */
export function rewriteTape({ header, exchanges }: Tape, folder: string, replace: Replace): void {
  const { tape: _, started, ...rest } = header
  const begun = Date.parse(started) * 1000
  let problem: string | undefined
  const onProblem = (message: string): void => void (problem = message)
  const writer = createTape({ folder, header: rest, started: begun, onProblem })
  // Exchanges keep their numbers, so they begin in their order.
  const copies = new Map(
    exchanges.map((exchange) => [exchange.number, copyOf(exchange, new ExchangeWriter(writer))]),
  )
  const lines = exchanges.flatMap(({ number, moments }) => moments.map((moment) => ({ number, moment })))
  for (const { number, moment } of lines.toSorted((one, other) => one.moment.line - other.moment.line)) {
    copies.get(number)?.(moment, { at: begun + moment.at, replace })
  }
  writer.close()
  if (problem !== undefined) throw new Error(problem)
}

interface Copying {
  readonly at: number
  readonly replace: Replace
}

type Copy = (moment: Moment, copying: Copying) => void

/** Copies the moments of an exchange; bodies and chunks are where the reader has put them together. */
function copyOf({ request, calls, answer }: TapedExchange, writer: ExchangeWriter): Copy {
  const nextCalls = calls.values()
  const chunks = {
    'u>': calls.flatMap((call) => call.answer.chunks).values(),
    '>c': answer.chunks.values(),
  }
  const copyRequest = (leg: 'c>' | '>u', { at, replace }: Copying): void => {
    const call = leg === '>u' ? nextCalls.next().value : undefined
    const written = replaced(leg === '>u' ? call?.request : request, replace)
    writer.request(at, leg, call?.via === undefined ? written : { ...written, via: call.via })
  }
  return ({ event }, copying) => {
    const [, , , leg, type] = event
    if (type === 'req' && (leg === 'c>' || leg === '>u')) copyRequest(leg, copying)
    else if (type === 'd' && (leg === 'u>' || leg === '>c')) {
      const bytes = chunks[leg].next().value?.bytes ?? new Uint8Array()
      writer.data(copying.at, leg, leg === '>c' ? replacedEvents(bytes, copying.replace) : bytes)
    } else copyRest(event, copying.at, writer)
  }
}

function replaced(request: TapedRequest | undefined, replace: Replace): TapedRequest {
  if (request === undefined) throw new Error('a request on the tape cannot be read')
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, anywhere(value)]),
  )
  const body = request.body.length === 0 ? request.body : replace(request.body)
  return { ...request, headers, body }
}

/** Some clients name the kernel of the machine. */
function anywhere<Value>(value: Value): Value | string {
  return typeof value === 'string' ? value.replaceAll(release(), '0.0.0') : value
}

/** What has no bytes is copied as it is. */
function copyRest([, , , leg, type, data]: TapeLine, at: number, writer: ExchangeWriter): void {
  const isAnswer = leg === 'u>' || leg === '>c'
  if (type === 'res' && isAnswer) writer.head(at, leg, data)
  else if (type === 'end' && isAnswer) writer.end(at, leg)
  else if (type === 'end' && data !== null) writer.done(at, data.outcome)
  else if (type === 'req' || type === 'res' || type === 'd' || type === 'end') {
    throw new Error(`exchange ${writer.number}: there is no ${type} on the leg '${leg}'`)
  } else writer.event(at, leg, { type, data })
}
