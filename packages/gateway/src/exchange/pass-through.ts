import { HubError, isEncoded, plainReply, profileFor, relayAnswer, type Translation } from '@hydra/core'
import { dialectOf, timeoutsOn } from '../context.ts'
import { presentedKeys } from '../guard.ts'
import type { Upstream } from '../options.ts'
import { withoutKeys } from '../query.ts'
import { Secret } from '../secret.ts'
import { addressOf } from '../upstream/address.ts'
import { passthroughHeaders, returnedHeaders } from '../upstream/headers.ts'
import { hideSecrets } from '../upstream/hide-secrets.ts'
import { HOPS_HEADER, hopsWith } from '../upstream/hops.ts'
import { connect } from '../upstream/open-answer.ts'
import { send } from '../upstream/send.ts'
import type { UpstreamAnswer } from '../upstream/transport.ts'
import { tapedTransport } from '../taping/taped-transport.ts'
import { AnswerStream } from './answer-stream.ts'
import { type ActiveExchange, sendContext, upstreamOf } from './active-exchange.ts'
import { PassedAnswer } from './passed-answer.ts'

/** Sends a request on unchanged, with the client's own credentials, and brings back the answer as it is. */
export async function passThrough<Native>(active: ActiveExchange<Native>): Promise<void> {
  const { exchange, context, reporter, prepared, watch, taping } = active
  const { route, body, request } = prepared
  const target = { upstream: route.upstream, model: request.model }
  const upstream = upstreamOf(context, target)
  reporter.target(route.name, target)
  reporter.asksFor(prepared.relayed?.call.body)
  const endpoint = { path: belowVersion(exchange.path), query: withoutKeys(exchange.query).slice(1) }
  const url = addressOf(upstream, endpoint, dialectOf(upstream))
  const ownKey = exchange.identity?.key ?? context.options.guard?.key
  const headers = { ...passthroughHeaders(exchange.headers, ownKey), ...upstream.headers }
  // Gateways that lead to one another find it out by this alone.
  headers[HOPS_HEADER] = hopsWith(exchange.headers, context.ownId())
  const transport = tapedTransport(context.transport, taping, () => ({
    upstream: target.upstream,
    dialect: upstream.dialect,
    passthrough: true,
  }))
  const timeouts = timeoutsOn(route, context)
  // Only a call that got no answer at all is tried again: every status is the client's to see.
  const answer = await send(() => {
    const signal = watch.call(target.upstream, timeouts.firstByte)
    if (reporter.observed !== undefined) Object.assign(headers, reporter.observed.headers())
    return connect(transport, { url, headers, body, signal }, target.upstream)
  }, sendContext(active))
  watch.throwIfOver()
  // A runtime that hides redirects gives them no status.
  if (answer.status < 200) throw new HubError('api_error', 'the upstream redirects', { status: 502 })
  const stream = new AnswerStream({
    answer,
    translation: translationOf(active, answer, upstream),
    client: exchange.caller.client,
    keepAlive: undefined,
    early: undefined,
    reply: exchange.reply,
    reporter,
    context,
    timeouts,
    upstream: target.upstream,
    head: {
      status: answer.status,
      headers: { ...returnedHeaders(answer.headers), ...reporter.limitHeaders },
    },
  })
  watch.answeredBy(stream)
  await stream.begin()
}

/** What reads along: an answer of the upstream's dialect is understood, everything else is not looked into. */
function translationOf<Native>(
  { exchange, context, reporter, prepared }: ActiveExchange<Native>,
  answer: UpstreamAnswer,
  upstream: Upstream,
): Translation {
  const dialect = dialectOf(upstream)
  const { status, headers } = answer
  const keys = presentedKeys(exchange).map((key) => new Secret(key))
  const hideOwn = hideSecrets(upstream)
  const hide = (text: string): string => keys.reduce((hidden, key) => key.hideIn(hidden), hideOwn(text))
  const isEmpty = status === 204 || status === 205
  if (status > 299 || isEmpty || isEncoded(headers)) return new PassedAnswer(answer, dialect, hide)
  return relayAnswer({
    client: exchange.caller.client,
    clientReply: prepared.clientReply,
    upstream: dialect,
    reply: plainReply(prepared.request.model, profileFor(upstream.profile, prepared.request.model)),
    messageId: reporter.id,
    maxKeptLength: context.limits.answer,
    contentType: headers['content-type'],
    hide,
  })
}

/** The path of an endpoint below the version that an upstream's base URL ends with. */
function belowVersion(path: string): string {
  return path.replace(/^\/v\d+\w*(?=\/)/, '')
}
