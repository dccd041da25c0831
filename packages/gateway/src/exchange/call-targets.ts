import {
  type EncodedRequest,
  estimateTokens,
  HubError,
  toHubError,
  traceConversion,
  translateAnswer,
} from '@hydra/core'
import { dialectOf, timeoutsOn } from '../context.ts'
import type { Upstream } from '../options.ts'
import { type RouteTarget, targetsOf } from '../route/route.ts'
import { addressOf } from '../upstream/address.ts'
import type { Breaker } from '../upstream/breaker.ts'
import { isRetryable, withoutKey } from '../upstream/failure.ts'
import { callHeaders } from '../upstream/headers.ts'
import { HOPS_HEADER, hopsWith } from '../upstream/hops.ts'
import { openAnswer } from '../upstream/open-answer.ts'
import { send } from '../upstream/send.ts'
import { tapedTransport } from '../taping/taped-transport.ts'
import { recordedProfile } from '../taping/recorded-profile.ts'
import { AnswerStream } from './answer-stream.ts'
import { type ActiveExchange, sendContext, upstreamOf } from './active-exchange.ts'

/**
 * Has the route's target answer, and then its fallbacks as long as a failure may be the upstream's fault.
 * Resolves when the first byte has gone to the client.
 */
export async function callTargets<Native>(active: ActiveExchange<Native>): Promise<void> {
  const { route, request } = active.prepared
  let failure: HubError | undefined
  for (const target of targetsOf(route, request.model)) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- a fallback is only called when the one before it failed
      await callTarget(active, target)
      return
    } catch (thrown) {
      active.waiting.throwIfOver()
      failure = toHubError(thrown)
      if (!isRetryable(failure) && failure.status < 500) throw failure
    }
  }
  throw failure ?? new HubError('api_error', `route ${route.name}: it has no target`)
}

interface Call {
  readonly name: string
  readonly model: string
  readonly upstream: Upstream
  readonly encoded: EncodedRequest
  readonly body: Uint8Array
}

async function callTarget<Native>(
  active: ActiveExchange<Native>,
  target: RouteTarget & { readonly model: string },
): Promise<void> {
  const { exchange, context, reporter, prepared } = active
  const { request, route } = prepared
  const name = target.upstream
  const upstream = upstreamOf(context, target)
  const dialect = dialectOf(upstream)
  reporter.target(route.name, target)
  const { newId } = context
  const encoded = dialect.encodeRequest(request, {
    model: target.model,
    profile: upstream.profile,
    client: exchange.caller.client,
    headers: exchange.headers,
    newId,
  })
  const trace = context.options.traces ? traceConversion(request, encoded, dialect) : undefined
  reporter.encoded(encoded.notes, trace)
  const breaker = context.breakers.get(name)
  if (breaker !== undefined) enter(breaker, name)
  const call = { name, model: target.model, upstream, encoded, body: context.json.encode(encoded.body) }
  await send(() => callOnce(active, call), {
    ...sendContext(active),
    mayRetry: (error) => isRetryable(error) && breaker?.isOpen !== true,
  })
}

function enter(breaker: Breaker, name: string): void {
  const wait = breaker.enter()
  if (wait === 0) return
  throw new HubError('overloaded_error', `upstream ${name}: out of service after repeated failures`, {
    retryAfter: Math.ceil(wait / 1000),
  })
}

/** One call, up to the first byte of its answer. */
async function callOnce<Native>(active: ActiveExchange<Native>, call: Call): Promise<void> {
  const { context, waiting } = active
  const breaker = context.breakers.get(call.name)
  try {
    await begin(active, call)
    breaker?.succeeded()
  } catch (thrown) {
    const error = withoutKey(toHubError(thrown), call.upstream.key)
    if (waiting.isOver) breaker?.abandoned()
    else if (error.status >= 500) breaker?.failed()
    else breaker?.succeeded()
    throw error
  }
}

async function begin<Native>(
  { exchange, context, reporter, prepared, waiting }: ActiveExchange<Native>,
  { name, model, upstream, encoded, body }: Call,
): Promise<void> {
  const { request, route } = prepared
  const dialect = dialectOf(upstream)
  const timeouts = timeoutsOn(route, context)
  const signal = waiting.call(name, timeouts.firstByte)
  const headers = callHeaders(upstream, encoded)
  headers[HOPS_HEADER] = hopsWith(exchange.headers, context.ownId)
  const call = { url: addressOf(upstream, encoded, dialect), headers, body, signal }
  const clientModel = route.spoof ?? request.model
  const messageId = exchange.caller.client.newId.message(context.newId())
  const transport = tapedTransport(context.transport, reporter.taping, () => ({
    upstream: name,
    dialect: upstream.dialect,
    model,
    toldModel: clientModel,
    messageId,
    ...recordedProfile(upstream, model),
  }))
  const answer = await openAnswer({ call, dialect, name }, transport)
  const { client } = exchange.caller
  const translation = translateAnswer({
    client,
    clientReply: prepared.clientReply,
    upstream: dialect,
    reply: { ...encoded.reply, model: clientModel },
    messageId,
    inputEstimate: estimateTokens(body.length),
  })
  const stream = new AnswerStream({
    answer,
    translation,
    client,
    keepAlive: prepared.clientReply.stream?.keepAlive,
    reply: exchange.reply,
    reporter,
    context,
    timeouts,
    upstream: name,
    key: upstream.key,
  })
  waiting.stop()
  signal.addEventListener('abort', () => stream.fail(signal.reason as HubError), { once: true })
  await stream.begin()
}
