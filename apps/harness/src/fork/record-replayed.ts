import type { ExchangeRecorder, Moment, Recording, TapeDraft, TapedAnswer, TapedExchange } from '@hydra/tape'
import type { CameRequest } from '../rerun/front.ts'

/** An exchange that was answered from a tape. */
export interface ReplayedExchange {
  /** As it is on that tape. */
  readonly source: TapedExchange
  /** What the client got now. */
  readonly recording: Recording
  /** What the client asked now. */
  readonly came: CameRequest
}

/** Something that happened, and when, in microseconds since the start of the source. */
interface Step {
  readonly at: number
  readonly tell: (recorder: ExchangeRecorder) => void
}

/**
 * Writes a replayed exchange on the tape of a fork: what the client asked for and got now, and the calls of the model
 * that answered it then, with what they cost. All of it takes the time that it took when it was recorded, because
 * sessions are compared by their times as well.
 */
export function recordReplayed(draft: TapeDraft, { source, recording, came }: ReplayedExchange): void {
  const recorder = draft.begin()
  const dialect = source.request?.dialect
  recorder.clientRequest({ ...came, ...(dialect !== undefined && { dialect }) }, came.body)
  let now = source.request?.at ?? 0
  const steps = [...callSteps(source), ...answerSteps(recording.answer, CLIENT), ...otherSteps(source)]
  for (const { at, tell } of steps.toSorted((one, other) => one.at - other.at)) {
    draft.skip(at - now)
    now = Math.max(now, at)
    tell(recorder)
  }
  if (source.end !== undefined) recorder.done(source.end.outcome, source.end.cost)
}

/** How the head and the pieces of an answer are told. */
interface LegTeller {
  head(recorder: ExchangeRecorder, status: number, headers: TapedAnswer['headers']): void
  data(recorder: ExchangeRecorder, bytes: Uint8Array): void
}

const UPSTREAM: LegTeller = {
  head: (recorder, status, headers) => recorder.upstreamHead(status, headers),
  data: (recorder, bytes) => recorder.upstreamData(bytes),
}

const CLIENT: LegTeller = {
  head: (recorder, status, headers) => recorder.clientHead(status, headers),
  data: (recorder, bytes) => recorder.clientData(bytes),
}

function callSteps({ calls }: TapedExchange): readonly Step[] {
  return calls.flatMap(({ request, via, answer }) => {
    if (via === undefined) return []
    const called: Step = {
      at: request.at,
      tell: (recorder) => recorder.upstreamRequest(request, request.body, via),
    }
    return [called].concat(answerSteps(answer, UPSTREAM))
  })
}

function answerSteps({ status, headers, at, chunks }: TapedAnswer, leg: LegTeller): readonly Step[] {
  if (status === undefined) return []
  const begun: Step = { at: at ?? 0, tell: (recorder) => leg.head(recorder, status, headers) }
  return [begun].concat(
    chunks.map(({ at: time, bytes }) => ({ at: time, tell: (to) => leg.data(to, bytes) })),
  )
}

/** What happened beside requests and bodies. */
function otherSteps({ moments }: TapedExchange): readonly Step[] {
  return moments.flatMap((moment) => {
    const tell = tellerOf(moment)
    return tell === undefined ? [] : [{ at: moment.at, tell }]
  })
}

function tellerOf({ leg, event }: Moment): Step['tell'] | undefined {
  switch (event[4]) {
    case 'end':
      if (leg === 'u>') return (recorder) => recorder.upstreamEnd()
      return leg === '>c' ? (recorder) => recorder.clientEnd() : undefined
    case 'abort': {
      const { by, reason } = event[5]
      return (recorder) => recorder.abort(by, reason)
    }
    case 'timeout':
      return (recorder) => recorder.timeout(event[5].reason)
    case 'retry':
      return (recorder) => recorder.retry(event[5].reason, event[5].pause)
    case 'note':
      return (recorder) => recorder.note(event[5])
    case 'usage':
      return (recorder) => recorder.usage(event[5])
    default:
      return undefined
  }
}
