import {
  createTape,
  ExchangeWriter,
  type Moment,
  type Tape,
  type TapedAnswer,
  type TapedCall,
  type TapedExchange,
} from '@hydra/tape'

/** Writes a tape that was changed in memory. Gives the new number of each exchange by its old one. */
export function writeTape({ header, exchanges }: Tape, folder: string): ReadonlyMap<number, number> {
  const { tape: _, started, ...rest } = header
  const begun = Date.parse(started) * 1000
  let problem: string | undefined
  const tape = createTape({
    folder,
    header: rest,
    started: begun,
    onProblem: (message) => void (problem = message),
  })
  const writers = new Map<number, ExchangeWriter>()
  for (const { number, entry } of inOrder(exchanges)) {
    const writer = writers.get(number) ?? new ExchangeWriter(tape)
    writers.set(number, writer)
    entry.write(writer, begun + entry.at)
  }
  tape.close()
  if (problem !== undefined) throw new Error(problem)
  return new Map([...writers].map(([number, writer]) => [number, writer.number]))
}

/** Something that is to be written, and its time since the start of the tape. */
interface Entry {
  readonly at: number
  readonly write: (writer: ExchangeWriter, at: number) => void
}

function inOrder(exchanges: readonly TapedExchange[]): { number: number; entry: Entry }[] {
  const entries = exchanges.flatMap((exchange) =>
    entriesOf(exchange).map((entry) => ({ number: exchange.number, entry })),
  )
  return entries.toSorted((one, other) => one.entry.at - other.entry.at)
}

function entriesOf(exchange: TapedExchange): Entry[] {
  const { request, calls, answer } = exchange
  return [
    ...(request === undefined ? [] : [{ at: request.at, write: asRequest('c>', request) }]),
    ...calls.flatMap(callEntries),
    ...answerEntries('>c', answer, request?.at ?? 0),
    ...otherMoments(exchange).map((moment) => ({ at: moment.at, write: asMoment(moment) })),
  ]
}

function callEntries({ request, via, answer }: TapedCall): Entry[] {
  const sent = via === undefined ? request : { ...request, via }
  return [{ at: request.at, write: asRequest('>u', sent) }, ...answerEntries('u>', answer, request.at)]
}

function asRequest(leg: 'c>' | '>u', request: Parameters<ExchangeWriter['request']>[2]): Entry['write'] {
  return (writer, at) => writer.request(at, leg, request)
}

function answerEntries(
  leg: 'u>' | '>c',
  { status, headers, at, chunks }: TapedAnswer,
  asked: number,
): Entry[] {
  if (status === undefined) return []
  return [
    { at: at ?? asked, write: (writer, time) => writer.head(time, leg, { status, headers }) },
    ...chunks.map((chunk) => ({
      at: chunk.at,
      write: (writer: ExchangeWriter, time: number) => writer.data(time, leg, chunk.bytes),
    })),
  ]
}

/** What happened beside requests and bodies; what belongs to calls that were left out is left out too. */
function otherMoments({ moments, calls }: TapedExchange): Moment[] {
  const called = moments.filter(({ leg, event }) => leg === '>u' && event[4] === 'req')
  const first = called.at(-calls.length)?.line ?? 0
  return moments.filter(({ leg, line, event: [, , , , type] }) => {
    if (type === 'req' || type === 'res' || type === 'd') return false
    const isOfCall = leg === 'u>' || type === 'retry' || type === 'timeout' || type === 'abort'
    return !isOfCall || line >= first
  })
}

function asMoment({ leg, event }: Moment): Entry['write'] {
  return (writer, at) => {
    const [, , , , type, data] = event
    if (type === 'req' || type === 'res' || type === 'd') return
    if (type !== 'end') writer.event(at, leg, { type, data })
    else if (leg === 'u>' || leg === '>c') writer.end(at, leg)
    else if (data !== null) writer.done(at, data.outcome, data.cost)
  }
}
