import type { HubRequest, HubUsage, Memory } from '@hydra/core'
import type { KeyAttempt } from '@hydra/gateway'
import type { TapedExchange } from '@hydra/tape'
import type { AnswerSummary, ExchangeSummary, RequestSummary, Tokens } from './session-summary.ts'
import type { Continuation, Continuations } from './continuation.ts'
import { type Transcript, readTranscript } from './transcript.ts'
import { endingOf, linesOf } from './ending.ts'
import { textOf } from './json-text.ts'
import { type AnswerReading, clientForm, readAnswer, upstreamForm } from './read-answer.ts'
import { readRequest, type RequestReading } from './read-request.ts'
import { summarizeCalls } from './summarize-calls.ts'
import { timesOf } from './times.ts'

/** What is known from the exchanges before. */
export interface EarlierSummaries {
  readonly earlier: Pick<Continuations, 'add'>
  readonly memory: Memory
  /** The labels of the keys that were tried, which are on no tape. */
  readonly keys?: readonly KeyAttempt[] | undefined
}

/** Summarizes one exchange; what it continues is found among the summaries before it. */
export function summarizeExchange(
  exchange: TapedExchange,
  { earlier, memory, keys }: EarlierSummaries,
): ExchangeSummary {
  const { number, calls, answer: toClient } = exchange
  const readings = calls.map((call) => readAnswer(call.answer, upstreamForm(call)))
  const received = readAnswer(toClient, clientForm(exchange))
  const read = readingToShow(exchange, readings, received)
  const answer = read === undefined ? undefined : answerOf(read, received, exchange)
  const times = timesOf(exchange, read?.firstToken)
  const asked = readRequest(exchange, memory)
  return {
    number,
    at: times.begun,
    request: asked === undefined ? undefined : summarizeRequest(number, asked, earlier),
    calls: summarizeCalls(exchange, readings, keys),
    answer,
    status: toClient.status,
    notes: exchange.notes,
    tokens: tokensOf(exchange.usage ?? read?.usage),
    times,
    ending: endingOf(exchange, answer),
    marks: linesOf(exchange, 'mark').map(({ text }) => text),
  }
}

/** Counts come over the wire too, and may be anything. */
function tokensOf(usage: HubUsage | undefined): Tokens | undefined {
  if (usage === undefined) return undefined
  return {
    input: countOrNothing(usage.input_tokens),
    fromCache: countOrNothing(usage.cache_read_input_tokens),
    toCache: countOrNothing(usage.cache_creation_input_tokens),
    output: countOrNothing(usage.output_tokens),
    reasoning: countOrNothing(usage.output_tokens_details?.thinking_tokens),
  }
}

function countOrNothing(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** The last call is the one whose answer the client got; without any call only the client's leg is known. */
function readingToShow(
  { answer, calls }: TapedExchange,
  readings: readonly AnswerReading[],
  received: AnswerReading,
): AnswerReading | undefined {
  const last = calls.at(-1)
  if (last !== undefined) return last.answer.status === undefined ? undefined : readings.at(-1)
  return answer.status === undefined ? undefined : received
}

/** What the upstream said, with a failure that only the client got: neither may hide the other. */
function answerOf(
  read: AnswerReading,
  received: AnswerReading,
  { request, calls }: TapedExchange,
): AnswerSummary {
  const failure = read.failure ?? (request === undefined ? undefined : received.failure)
  return {
    utterances: read.utterances,
    stopReason: read.stopReason,
    whole: read.whole,
    failure,
    from: calls.length === 0 ? 'client' : 'upstream',
  }
}

function summarizeRequest(
  number: number,
  reading: RequestReading,
  earlier: EarlierSummaries['earlier'],
): RequestSummary {
  const { request, hub, body, trouble } = reading
  const { messages } = readTranscript(reading)
  const tools = hub?.tools ?? body['tools']
  const continued = earlier.add(number, hub ?? body)
  const isNew = continued === undefined || continued.changed.includes('system')
  return {
    method: request.method,
    path: request.path,
    model: hub?.model ?? textOf(body['model']),
    tools: Array.isArray(tools) ? tools.length : 0,
    messages: messages.length,
    system: isNew ? systemTexts(hub) : [],
    ...whatIsNew(messages, continued),
    trouble,
  }
}

function systemTexts(hub: HubRequest | undefined): string[] {
  const system = hub?.system ?? []
  return typeof system === 'string' ? [system] : system.map(({ text }) => text)
}

function whatIsNew(
  messages: Transcript['messages'],
  continued: Continuation | undefined,
): Pick<RequestSummary, 'continues' | 'changed' | 'fresh'> {
  if (continued === undefined) return { continues: undefined, changed: [], fresh: messages.flat() }
  const { exchange, messages: kept, changed } = continued
  const fresh = messages.slice(kept)
  // What the model said before is shown where it said it.
  const thenAssistant = fresh[0]?.[0]?.who === 'assistant'
  return {
    continues: { exchange, messages: kept, thenAssistant },
    changed,
    fresh: fresh.slice(thenAssistant ? 1 : 0).flat(),
  }
}
