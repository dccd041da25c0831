import { HubError, toHubError, traceConversion } from '@hydra/core'
import type { EncodedRequest } from '@hydra/core'
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
import { type Exchanging, sendContext, upstreamOf } from './exchanging.ts'
import { streamedTranslation, wholeTranslation } from './translation.ts'

/**
 * Has the route's target answer, and then its fallbacks as long as a failure may be the upstream's fault.
 * Resolves when the first byte has gone to the client.
 */
export async function callTargets<Native>(exchanging: Exchanging<Native>): Promise<void> {
  const { route, request } = exchanging.prepared
  let failure: HubError | undefined
  for (const target of targetsOf(route, request.model)) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- a fallback is only called when the one before it failed
      await callTarget(exchanging, target)
      return
    } catch (thrown) {
      exchanging.waiting.throwIfOver()
      failure = toHubError(thrown)
      if (!isRetryable(failure) && failure.status < 500) throw failure
    }
  }
  throw failure ?? new HubError('api_error', `route ${route.name}: it has no target`)
}

/** About how many characters of a body make a token. */
const CHARACTERS_PER_TOKEN = 4

interface Call {
  readonly name: string
  readonly model: string
  readonly upstream: Upstream
  readonly encoded: EncodedRequest
  readonly body: Uint8Array
}

async function callTarget<Native>(
  exchanging: Exchanging<Native>,
  target: RouteTarget & { readonly model: string },
): Promise<void> {
  const { context, recorder, prepared } = exchanging
  const { request, route } = prepared
  const name = target.upstream
  const upstream = upstreamOf(context, target)
  const dialect = dialectOf(upstream)
  recorder.target(route.name, target)
  const { newId } = context
  const encoded = dialect.encodeRequest(request, { model: target.model, profile: upstream.profile, newId })
  const trace = context.options.traces ? traceConversion(request, encoded, dialect) : undefined
  recorder.encoded(encoded.notes, trace)
  const breaker = context.breakers.get(name)
  if (breaker !== undefined) enter(breaker, name)
  const call = { name, model: target.model, upstream, encoded, body: context.json.encode(encoded.body) }
  await send(() => callOnce(exchanging, call), {
    ...sendContext(exchanging),
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
async function callOnce<Native>(exchanging: Exchanging<Native>, call: Call): Promise<void> {
  const { context, waiting } = exchanging
  const breaker = context.breakers.get(call.name)
  try {
    await begin(exchanging, call)
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
  { exchange, context, recorder, prepared, waiting }: Exchanging<Native>,
  { name, model, upstream, encoded, body }: Call,
): Promise<void> {
  const { request, route } = prepared
  const dialect = dialectOf(upstream)
  const timeouts = timeoutsOn(route, context)
  const signal = waiting.call(name, timeouts.firstByte)
  const headers = callHeaders(upstream, exchange.headers)
  headers[HOPS_HEADER] = hopsWith(exchange.headers, context.ownId)
  const call = { url: addressOf(upstream), headers, body, signal }
  const told = route.spoof ?? request.model
  const messageId = `msg_${context.newId()}`
  const transport = tapedTransport(context.transport, recorder.taping, () => ({
    upstream: name,
    dialect: upstream.dialect,
    model,
    toldModel: told,
    messageId,
    ...recordedProfile(upstream, model),
  }))
  const answer = await openAnswer({ call, dialect, name }, transport)
  // The reply outlives the request, which may be large: it keeps nothing of it but its length.
  const inputTokens = Math.ceil(body.length / CHARACTERS_PER_TOKEN)
  const reply = {
    ...encoded.reply,
    model: told,
    estimateInput: () => inputTokens,
  }
  const translate = request.stream ? streamedTranslation : wholeTranslation
  const stream = new AnswerStream({
    answer,
    translation: translate({ upstream: dialect, reply, messageId }, context.client),
    reply: exchange.reply,
    recorder,
    context,
    timeouts,
    upstream: name,
    key: upstream.key,
  })
  waiting.stop()
  signal.addEventListener('abort', () => stream.fail(signal.reason as HubError), { once: true })
  await stream.begin()
}
