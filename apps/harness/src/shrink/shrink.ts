import { splitEvents } from '@hydra/core'
import { replayExchange, type Tape, type TapedCall, type TapedExchange } from '@hydra/tape'
import { minimize } from './minimize.ts'

/** Says how a tape fails; undefined if it does not, or not in the way that is looked for. */
export type FailureOf = (tape: Tape) => Promise<string | undefined>

/** What may be left out of a tape. */
export type ShrinkDepth = 'exchanges' | 'everything'

/** A smaller tape. */
export interface ShrunkTape {
  readonly tape: Tape
  /** How it fails. */
  readonly failure: string
  /** What was left out, in words. */
  readonly removed: readonly string[]
}

/** The limits of shrinking, and its listener. */
export interface ShrinkOptions {
  readonly depth: ShrinkDepth
  readonly signal?: AbortSignal
  readonly onTry?: (tries: number) => void
}

/** Leaves out of a tape what it does not need in order to fail. Undefined if it does not fail at all. */
export async function shrink(
  tape: Tape,
  failureOf: FailureOf,
  { depth, signal, onTry }: ShrinkOptions,
): Promise<ShrunkTape | undefined> {
  if ((await failureOf(tape)) === undefined) return undefined
  let tries = 0
  const stillFails = async (exchanges: readonly TapedExchange[]): Promise<boolean> => {
    // An interrupt gives the smallest tape so far.
    if (exchanges.length === 0 || signal?.aborted === true) return false
    tries += 1
    onTry?.(tries)
    return (await failureOf({ ...tape, exchanges })) !== undefined
  }
  let exchanges = await minimize(tape.exchanges, stillFails)
  const removed = [difference('exchanges', tape.exchanges.length, exchanges.length)]
  if (depth === 'everything') {
    for (const [index, exchange] of exchanges.entries()) {
      const inPlace = (changed: TapedExchange): Promise<boolean> => stillFails(exchanges.with(index, changed))
      // oxlint-disable-next-line no-await-in-loop -- each depends on what is left of the others
      const smaller = await shrinkExchange(exchange, inPlace)
      removed.push(...smaller.removed)
      exchanges = exchanges.with(index, smaller.exchange)
    }
  }
  const shrunk = { ...tape, exchanges }
  const failure = (await failureOf(shrunk)) ?? 'it fails no more'
  return { tape: shrunk, failure, removed: removed.filter((words) => words !== '') }
}

interface ShrunkExchange {
  readonly exchange: TapedExchange
  readonly removed: readonly string[]
}

type Tries = (exchange: TapedExchange) => Promise<boolean>

async function shrinkExchange(exchange: TapedExchange, stillFails: Tries): Promise<ShrunkExchange> {
  const removed: string[] = []
  let current = exchange
  const attempt = async (changed: TapedExchange): Promise<boolean> => {
    const consistent = withOwnLegs(changed)
    return consistent !== undefined && stillFails(consistent)
  }
  const number = `exchange ${exchange.number}: `
  const part = async <Item>(
    what: string,
    items: readonly Item[],
    put: (kept: readonly Item[]) => TapedExchange | undefined,
  ): Promise<void> => {
    const kept = await minimize(items, async (rest) => {
      const changed = put(rest)
      return changed !== undefined && attempt(changed)
    })
    if (kept.length === items.length) return
    current = put(kept) ?? current
    removed.push(number + difference(what, items.length, kept.length))
  }
  // The last call decides about the answer, so it is the one to keep.
  await part('calls', current.calls.slice(0, -1), (before) =>
    before.length === 0 ? { ...current, calls: current.calls.slice(-1) } : undefined,
  )
  await part('events of the upstream', eventsOf(current), (events) => withEvents(current, events))
  for (const [field, list] of listsIn(current)) {
    // oxlint-disable-next-line no-await-in-loop -- each depends on what is left of the others
    await part(field, list, (kept) => withList(current, field, kept))
  }
  if (removed.length === 0) return { exchange, removed }
  return { exchange: withOwnLegs(current) ?? current, removed }
}

function difference(what: string, before: number, after: number): string {
  return before === after ? '' : `${before - after} of ${before} ${what}`
}

function eventsOf({ calls }: TapedExchange): readonly Uint8Array[] {
  return splitEvents(Buffer.concat((calls.at(-1)?.answer.chunks ?? []).map(({ bytes }) => bytes)))
}

/** The exchange with other events from its upstream; each comes as a piece of its own. */
function withEvents(exchange: TapedExchange, events: readonly Uint8Array[]): TapedExchange | undefined {
  const call = exchange.calls.at(-1)
  if (call === undefined) return undefined
  const at = call.answer.at ?? call.request.at
  const chunks = events.map((bytes) => ({ at, bytes }))
  return {
    ...exchange,
    calls: exchange.calls.with(exchange.calls.length - 1, { ...call, answer: { ...call.answer, chunks } }),
  }
}

type Body = Readonly<Record<string, unknown>>

function bodyOf({ request }: TapedExchange): Body {
  try {
    return JSON.parse(new TextDecoder().decode(request?.body)) as Body
  } catch {
    return {}
  }
}

/** The lists of a request in any dialect: its messages, items or contents, its tools. */
function listsIn(exchange: TapedExchange): readonly (readonly [field: string, list: readonly unknown[]])[] {
  return Object.entries(bodyOf(exchange)).flatMap(([field, value]) =>
    Array.isArray(value) ? [[field, value as readonly unknown[]] as const] : [],
  )
}

function withList(
  exchange: TapedExchange,
  field: string,
  list: readonly unknown[],
): TapedExchange | undefined {
  const { request } = exchange
  if (request === undefined) return undefined
  const { [field]: _, ...rest } = bodyOf(exchange)
  // A request may do without a list, but rarely with an empty one.
  const body = list.length === 0 ? rest : { ...rest, [field]: list }
  return { ...exchange, request: { ...request, body: Buffer.from(JSON.stringify(body)) } }
}

/** The exchange with what is sent now on the legs that we write ourselves: the recorded bytes belong to what was left out. */
function withOwnLegs(exchange: TapedExchange): TapedExchange | undefined {
  const replay = replayExchange(exchange)
  if ('reason' in replay || replay.upstreamRequests.length !== exchange.calls.length) return undefined
  const { answer } = exchange
  const at = answer.at ?? exchange.request?.at ?? 0
  const chunks = replay.answer.bytes.length === 0 ? [] : [{ at, bytes: replay.answer.bytes }]
  return {
    ...exchange,
    calls: exchange.calls.map((call, index) => withBody(call, replay.upstreamRequests[index])),
    answer: { ...answer, status: replay.answer.status, chunks },
  }
}

function withBody(call: TapedCall, body: unknown): TapedCall {
  return { ...call, request: { ...call.request, body: Buffer.from(JSON.stringify(body)) } }
}
