import type { LiveAnswer, LiveExchange, LiveRequest } from '../store/live-exchange.ts'
import type { CopiedAnswer, CopiedExchange, CopiedRequest } from './messages.ts'

/** How much of an exchange is known elsewhere. */
export interface Known {
  hasRequest: boolean
  calls: number
  events: number
  notes: number
  /** Chunks of the client's answer, and of the answer to each call. */
  chunks: number
  chunksOfCalls: number[]
}

/** Nothing is known elsewhere. */
export function nothingKnown(): Known {
  return { hasRequest: false, calls: 0, events: 0, notes: 0, chunks: 0, chunksOfCalls: [] }
}

/** What is not known elsewhere; it is from now on. */
export function copyExchange(exchange: LiveExchange, known: Known): CopiedExchange {
  const { request, calls, answer, events, notes, counted, reported, cost, outcome, over } = exchange
  const copyRequest = (one: LiveRequest): CopiedRequest => ({
    at: one.at,
    head: one.head,
    body: exchange.bodyOf(one),
  })
  const copy: CopiedExchange = {
    request: request === undefined || known.hasRequest ? undefined : copyRequest(request),
    calls: calls.slice(known.calls).map((call) => Object.assign(copyRequest(call), { via: call.via })),
    answers: calls.map((call, index) => copyAnswer(call.answer, known.chunksOfCalls[index] ?? 0)),
    answer: copyAnswer(answer, known.chunks),
    events: events.slice(known.events),
    notes: notes.slice(known.notes),
    counted,
    reported,
    cost,
    outcome,
    over,
  }
  known.hasRequest = request !== undefined
  known.calls = calls.length
  known.events = events.length
  known.notes = notes.length
  known.chunks = answer.log.count
  known.chunksOfCalls = calls.map((call) => call.answer.log.count)
  return copy
}

function copyAnswer({ status, headers, at, ended, log }: LiveAnswer, from: number): CopiedAnswer {
  return { status, headers, at, ended, chunks: log.chunks(from) }
}

/** Adds what is new to the copy of an exchange. */
export function applyCopy(exchange: LiveExchange, copy: CopiedExchange): void {
  const { request, calls, answers, answer, events, notes, counted, reported, cost, outcome, over } = copy
  if (request !== undefined) exchange.request = { ...request, body: exchange.keep(request.body) }
  for (const call of calls) {
    exchange.calls.push({ ...call, body: exchange.keep(call.body), answer: exchange.newAnswer() })
  }
  for (const [index, one] of answers.entries()) applyAnswer(exchange.calls[index]?.answer, one)
  applyAnswer(exchange.answer, answer)
  exchange.events.push(...events)
  exchange.notes.push(...notes)
  Object.assign(exchange, { counted, reported, cost, outcome, over })
  exchange.touched()
}

function applyAnswer(own: LiveAnswer | undefined, { chunks, ...head }: CopiedAnswer): void {
  if (own === undefined) return
  Object.assign(own, head)
  for (const { at, bytes } of chunks) own.log.add(at, bytes)
}
