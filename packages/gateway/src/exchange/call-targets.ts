import {
  estimateTokens,
  HubError,
  planCall,
  type PlannedCall,
  toHubError,
  traceConversion,
} from '@hydra/core'
import { dialectOf, timeoutsOn } from '../context.ts'
import type { Upstream } from '../options.ts'
import { withoutKeys } from '../query.ts'
import { type RouteTarget, targetsOf } from '../route/route.ts'
import { speakAlike } from '../route/speak-alike.ts'
import { addressOf } from '../upstream/address.ts'
import type { Breaker } from '../upstream/breaker.ts'
import { isRetryable } from '../upstream/failure.ts'
import { callHeaders } from '../upstream/headers.ts'
import { hideSecrets } from '../upstream/hide-secrets.ts'
import { HOPS_HEADER, hopsWith } from '../upstream/hops.ts'
import type { KeyPool } from '../upstream/key-pool.ts'
import { openAnswer } from '../upstream/open-answer.ts'
import { send } from '../upstream/send.ts'
import { tapedTransport } from '../taping/taped-transport.ts'
import { recordedProfile } from '../taping/recorded-profile.ts'
import { AnswerStream } from './answer-stream.ts'
import type { ExchangeReporter } from './exchange-reporter.ts'
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
      active.watch.throwIfOver()
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
  readonly planned: PlannedCall
  /** The model name that the client sees. */
  readonly clientModel: string
  readonly body: Uint8Array
}

async function callTarget<Native>(
  active: ActiveExchange<Native>,
  target: RouteTarget & { readonly model: string },
): Promise<void> {
  const { exchange, context, reporter, prepared } = active
  const { request, route, relayed, unread } = prepared
  const name = target.upstream
  const upstream = upstreamOf(context, target)
  const dialect = dialectOf(upstream)
  reporter.target(route.name, target)
  const clientModel = route.spoof ?? request.model
  const planned = planCall({
    client: exchange.caller.client,
    clientReply: prepared.clientReply,
    request,
    upstream: dialect,
    model: target.model,
    profile: upstream.profile,
    clientModel,
    headers: exchange.headers,
    newId: context.newId,
    relayed: speakAlike(route, upstream, exchange.caller.dialect) ? relayed : undefined,
    unread,
  })
  const { encoded, isRelayed } = planned
  const isTraced = context.options.traces === true && unread === undefined
  const trace = isTraced ? traceConversion(request, encoded, dialect) : undefined
  reporter.decoded(isRelayed ? [] : prepared.notes)
  reporter.asksFor(encoded.body)
  reporter.encoded(encoded.notes, trace)
  const breaker = context.breakers.get(name)
  if (breaker !== undefined) enter(breaker, name, reporter)
  const body = context.json.encode(encoded.body)
  const call = { name, model: target.model, upstream, planned, clientModel, body }
  const pool = context.pools.get(name)
  await send(() => (pool === undefined ? callOnce(active, call) : callWithKeys(active, call, pool)), {
    ...sendContext(active),
    mayRetry: (error) => !active.watch.isClientGone && isRetryable(error) && breaker?.isOpen !== true,
  })
}

function enter(breaker: Breaker, name: string, reporter: Pick<ExchangeReporter<never>, 'tryFailed'>): void {
  const wait = breaker.enter()
  if (wait === 0) return
  const error = new HubError('overloaded_error', `upstream ${name}: out of service after repeated failures`, {
    retryAfter: Math.ceil(wait / 1000),
  })
  reporter.tryFailed(error, undefined)
  throw error
}

/** One call with the key whose turn it is; a key that is refused is followed by the next one at once. */
async function callWithKeys<Native>(
  active: ActiveExchange<Native>,
  call: Call,
  pool: KeyPool,
): Promise<void> {
  for (;;) {
    const { label, upstream } = pool.take()
    const attempt = { upstream: call.name, label }
    active.reporter.trying(attempt)
    try {
      // oxlint-disable-next-line no-await-in-loop -- one key after the other
      await callOnce(active, { ...call, upstream })
      return
    } catch (thrown) {
      const error = toHubError(thrown)
      active.reporter.keyFailed({ ...attempt, status: error.status })
      const told = pool.failed({ label, upstream }, error)
      if (told !== undefined) throw told
      active.watch.throwIfOver()
    }
  }
}

/** One call, up to the first byte of its answer. */
async function callOnce<Native>(active: ActiveExchange<Native>, call: Call): Promise<void> {
  const { context, watch } = active
  const breaker = context.breakers.get(call.name)
  try {
    await begin(active, call)
    breaker?.succeeded()
  } catch (thrown) {
    const error = toHubError(thrown).hiding(hideSecrets(call.upstream))
    if (watch.isOver) breaker?.abandoned()
    else if (error.status >= 500) breaker?.failed()
    else breaker?.succeeded()
    throw error
  }
}

async function begin<Native>(
  { exchange, context, reporter, prepared, watch, taping, early }: ActiveExchange<Native>,
  { name, model, upstream, planned, clientModel, body }: Call,
): Promise<void> {
  const { upstream: dialect, encoded, isRelayed } = planned
  const query = encoded.query || (isRelayed ? withoutKeys(exchange.query).slice(1) : '')
  const timeouts = timeoutsOn(prepared.route, context)
  const signal = watch.call(name, timeouts.firstByte)
  const headers = callHeaders(upstream, encoded)
  headers[HOPS_HEADER] = hopsWith(exchange.headers, context.ownId())
  if (reporter.observed !== undefined) Object.assign(headers, reporter.observed.headers())
  const call = { url: addressOf(upstream, { path: encoded.path, query }, dialect), headers, body, signal }
  const messageId = exchange.caller.client.newId.message(context.newId())
  const transport = tapedTransport(context.transport, taping, () => ({
    upstream: name,
    dialect: upstream.dialect,
    model,
    ...(isRelayed ? { relayed: true } : { toldModel: clientModel }),
    messageId,
    ...recordedProfile(upstream, model),
  }))
  const answer = await openAnswer({ call, dialect, name, isRelayed }, transport)
  const { client } = exchange.caller
  const translation = planned.translate({
    messageId,
    inputEstimate: estimateTokens(body.length),
    maxKeptLength: context.limits.answer,
    hide: hideSecrets(upstream),
    contentType: answer.headers['content-type'],
  })
  const stream = new AnswerStream({
    answer,
    translation,
    client,
    keepAlive: prepared.clientReply.stream?.keepAlive,
    breaksWhenFailed: prepared.clientReply.stream?.breaksWhenFailed,
    early,
    reply: exchange.reply,
    reporter,
    context,
    timeouts,
    upstream: name,
  })
  watch.answeredBy(stream)
  await stream.begin()
}
