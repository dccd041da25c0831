import { anthropic, type HubUsage } from '@hydra/core'
import type { Moment, TapeData, TapedCall, TapedExchange, TapedRequest } from '@hydra/tape'
import type { AnswerAccount, CallAccount, ExchangeAccount, RequestAccount, Tokens } from './account.ts'
import type { Continuation, Continuations } from './continuation.ts'
import { type Conversation, readConversation } from './conversation.ts'
import { endingOf, saidIn } from './ending.ts'
import { isObject, parseBytes, type ParsedText, textOf } from './json-text.ts'
import { type AnswerReading, asksForMessage, clientForm, readAnswer, upstreamForm } from './read-answer.ts'
import { timesOf } from './times.ts'

/** Tells one exchange; what it continues is found among those that were told before. */
export function tellExchange(exchange: TapedExchange, earlier: Continuations): ExchangeAccount {
  const { number, calls, answer: toClient } = exchange
  const readings = calls.map((call) => readAnswer(call.answer, upstreamForm(call)))
  const told = readAnswer(toClient, clientForm(exchange.request?.path))
  const read = readingToTell(exchange, readings, told)
  const answer = read === undefined ? undefined : answerOf(read, told, exchange)
  const times = timesOf(exchange, read?.firstToken)
  const asked = exchange.request ?? calls[0]?.request
  return {
    number,
    at: times.begun,
    request: asked === undefined ? undefined : tellRequest(number, asked, earlier),
    calls: tellCalls(exchange, readings),
    answer,
    status: toClient.status,
    notes: exchange.notes,
    tokens: tokensOf(exchange.usage ?? read?.usage),
    times,
    ending: endingOf(exchange, answer),
    marks: saidIn(exchange, 'mark').map(({ text }) => text),
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
  }
}

function countOrNothing(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** The last call is the one whose answer the client got; without any call only the client's leg is known. */
function readingToTell(
  { answer, calls }: TapedExchange,
  readings: readonly AnswerReading[],
  told: AnswerReading,
): AnswerReading | undefined {
  const last = calls.at(-1)
  if (last !== undefined) return last.answer.status === undefined ? undefined : readings.at(-1)
  return answer.status === undefined ? undefined : told
}

/** What the upstream said, with a failure that only the client was told: neither may hide the other. */
function answerOf(
  read: AnswerReading,
  told: AnswerReading,
  { request, calls }: TapedExchange,
): AnswerAccount {
  const failure = read.failure ?? (request === undefined ? undefined : told.failure)
  return {
    sayings: read.sayings,
    stopReason: read.stopReason,
    whole: read.whole,
    failure,
    from: calls.length === 0 ? 'client' : 'upstream',
  }
}

function tellRequest(number: number, request: TapedRequest, earlier: Continuations): RequestAccount {
  const parsed = parseBytes(request.body)
  const body = 'value' in parsed ? parsed.value : undefined
  const fields = isObject(body) ? body : {}
  const { messages } = readConversation(body)
  return {
    method: request.method,
    path: request.path,
    model: textOf(fields['model']),
    tools: Array.isArray(fields['tools']) ? fields['tools'].length : 0,
    messages: messages.length,
    ...whatIsNew(messages, earlier.add(number, body)),
    trouble: asksForMessage(request.path) ? troubleIn(request, parsed) : undefined,
  }
}

function whatIsNew(
  messages: Conversation['messages'],
  continued: Continuation | undefined,
): Pick<RequestAccount, 'continues' | 'changed' | 'fresh'> {
  if (continued === undefined) return { continues: undefined, changed: [], fresh: messages.flat() }
  const { exchange, messages: kept, changed } = continued
  const fresh = messages.slice(kept)
  // What the model said before is told where it said it.
  const thenAssistant = fresh[0]?.[0]?.who === 'assistant'
  return {
    continues: { exchange, messages: kept, thenAssistant },
    changed,
    fresh: fresh.slice(thenAssistant ? 1 : 0).flat(),
  }
}

/** Why the proxy would refuse a request, in its own words. */
function troubleIn({ path }: TapedRequest, parsed: ParsedText): string | undefined {
  if ('trouble' in parsed) return parsed.trouble
  if (!path.includes('/messages')) return undefined
  try {
    anthropic.client.decodeRequest({ body: parsed.value })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function tellCalls({ calls, moments }: TapedExchange, readings: readonly AnswerReading[]): CallAccount[] {
  return calls.map(({ via, request, answer }: TapedCall, index) => ({
    via,
    path: request.path,
    status: answer.status,
    ended: answer.ended,
    failure: answer.status === undefined ? undefined : readings[index]?.failure,
    retry: retryBetween(moments, request.at, calls[index + 1]?.request.at),
  }))
}

/** What the tape says about trying again between two calls; a fallback to another upstream says nothing. */
function retryBetween(
  moments: readonly Moment[],
  from: number,
  until: number | undefined,
): CallAccount['retry'] {
  if (until === undefined) return undefined
  const found = moments.findLast(({ at, event }) => event[4] === 'retry' && at >= from && at <= until)
  return found === undefined ? undefined : (found.event[5] as TapeData['retry'])
}
