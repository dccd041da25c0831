import { HubError, toHubError, traceConversion } from '@hydra/core'
import { dialectOf, type GatewayContext } from '../context.ts'
import { type RouteTarget, targetsOf } from '../route/route.ts'
import { addressOf } from '../upstream/address.ts'
import { isRetryable } from '../upstream/failure.ts'
import { callHeaders } from '../upstream/headers.ts'
import { send } from '../upstream/send.ts'
import type { UpstreamAnswer } from '../upstream/transport.ts'
import { AnswerStream } from './answer-stream.ts'
import type { Exchange } from './exchange.ts'
import { passThrough } from './pass-through.ts'
import { type Exchanging, upstreamOf } from './exchanging.ts'
import { prepare } from './prepare.ts'
import { Recorder } from './recorder.ts'
import { refuse } from './refuse.ts'
import { streamedTranslation, type Translation, wholeTranslation } from './translation.ts'
import { WaitingCall } from './waiting-call.ts'

/** Answers `POST /v1/messages`. */
export async function answerMessages<Native>(
  exchange: Exchange<Native>,
  context: GatewayContext<Native>,
): Promise<void> {
  const recorder = new Recorder(exchange, context)
  const waiting = new WaitingCall(context)
  exchange.reply.gone = () => waiting.abort()
  try {
    const prepared = await prepare(exchange, context, recorder)
    const exchanging = { exchange, context, recorder, prepared, waiting }
    if (prepared.route.passthrough) await passThrough(exchanging)
    else await translate(exchanging)
  } catch (thrown) {
    const error = waiting.explain(thrown)
    if (waiting.isClientGone) recorder.done('aborted')
    else recorder.done('failed', { error: refuse(error, exchange.reply, { recorder, context }) })
  } finally {
    waiting.stop()
  }
}

async function translate<Native>(exchanging: Exchanging<Native>): Promise<void> {
  const { exchange, context, recorder } = exchanging
  const { answer, translation, upstream } = await callTargets(exchanging)
  const stream = new AnswerStream({ answer, translation, reply: exchange.reply, recorder, context, upstream })
  if (exchanging.waiting.isClientGone) {
    answer.abort()
    recorder.done('aborted')
    return
  }
  stream.start()
}

interface CalledTarget {
  readonly answer: UpstreamAnswer
  readonly translation: Translation
  readonly upstream: string
}

/** Tries the route's target and then its fallbacks, as long as a failure may be the upstream's fault. */
async function callTargets<Native>(exchanging: Exchanging<Native>): Promise<CalledTarget> {
  const { route, request } = exchanging.prepared
  let failure = new HubError('api_error', `route ${route.name}: it has no target`)
  for (const target of targetsOf(route, request.model)) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- a fallback is only called when the one before it failed
      return await callTarget(exchanging, target)
    } catch (thrown) {
      if (exchanging.waiting.signal.aborted) throw thrown
      failure = toHubError(thrown)
      if (!isRetryable(failure) && failure.status < 500) throw failure
    }
  }
  throw failure
}

async function callTarget<Native>(
  { exchange, context, recorder, prepared, waiting }: Exchanging<Native>,
  target: RouteTarget & { readonly model: string },
): Promise<CalledTarget> {
  const { request, route } = prepared
  const upstream = upstreamOf(context, target)
  const dialect = dialectOf(upstream)
  recorder.target(route.name, target)
  const encoded = dialect.encodeRequest(request, { model: target.model, profile: upstream.profile })
  recorder.encoded(
    encoded.notes,
    context.options.traces ? traceConversion(request, encoded, dialect) : undefined,
  )
  const call = {
    url: addressOf(upstream),
    headers: callHeaders(upstream, exchange.headers),
    body: JSON.stringify(encoded.body),
    signal: waiting.signal,
  }
  const answer = await send(
    { call, dialect, name: target.upstream },
    {
      transport: context.transport,
      retries: context.retries,
      now: () => context.watchdog.now(),
      onRetry: () => recorder.retried(),
    },
  )
  const reply = { ...encoded.reply, model: route.spoof ?? request.model }
  const options = { upstream: dialect, reply, messageId: `msg_${context.newId()}` }
  const translation = request.stream
    ? streamedTranslation(options, context.client)
    : wholeTranslation(options, context.client)
  return { answer, translation, upstream: target.upstream }
}
