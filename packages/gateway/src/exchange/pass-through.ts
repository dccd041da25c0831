import { type ClientDialect, HubError } from '@hydra/core'
import { timeoutsOn } from '../context.ts'
import { addressOf, withQuery } from '../upstream/address.ts'
import { connectionError } from '../upstream/failure.ts'
import { passthroughHeaders, returnedHeaders } from '../upstream/headers.ts'
import { connect } from '../upstream/open-answer.ts'
import { send } from '../upstream/send.ts'
import type { BodyListener, UpstreamAnswer } from '../upstream/transport.ts'
import { tapedTransport } from '../taping/taped-transport.ts'
import { NOWHERE, type Watched } from '../watchdog.ts'
import type { ReplyListener } from './exchange.ts'
import { type Exchanging, sendContext, upstreamOf } from './exchanging.ts'
import { PassedAnswer } from './passed-answer.ts'

/** Sends a request on unchanged, with the client's own credentials, and brings back the answer as it is. */
export async function passThrough<Native>(exchanging: Exchanging<Native>): Promise<void> {
  const { exchange, context, recorder, prepared, waiting } = exchanging
  const { route, body, request } = prepared
  const target = { upstream: route.upstream, model: request.model }
  const upstream = upstreamOf(context, target)
  recorder.target(route.name, target)
  const url = withQuery(addressOf(upstream), exchange.query)
  const ownKey = context.options.guard?.key
  const headers = { ...passthroughHeaders(exchange.headers, ownKey), ...upstream.headers }
  const transport = tapedTransport(context.transport, recorder.taping, () => ({
    upstream: target.upstream,
    dialect: upstream.dialect,
    passthrough: true,
  }))
  // Only a call that got no answer at all is tried again: every status is the client's to see.
  const answer = await send(() => {
    const signal = waiting.call(target.upstream, timeoutsOn(route, context).firstByte)
    return connect(transport, { url, headers, body, signal }, target.upstream)
  }, sendContext(exchanging))
  waiting.throwIfOver()
  waiting.stop()
  // A runtime that hides redirects gives them no status.
  if (answer.status < 200) throw new HubError('api_error', 'the upstream redirects', { status: 502 })
  const { model } = request
  const { headers: client } = exchange
  const passed = new PassedAnswer(answer, { upstream, model, messageId: recorder.id, headers: client })
  new Relay(exchanging, answer, passed).start()
}

const LINE_FEED = 10

/** Carries bytes from the upstream to the client; somebody reads along for the report. */
class Relay<Native> implements BodyListener, ReplyListener, Watched {
  readonly #exchanging: Exchanging<Native>
  readonly #answer: UpstreamAnswer
  readonly #passed: PassedAnswer
  readonly #idle: number
  #lastRead: number
  #isPaused = false
  #isDone = false
  /** The client has whole events only, so that one of ours may follow. */
  #isBetweenEvents = false
  place: number = NOWHERE

  constructor(exchanging: Exchanging<Native>, answer: UpstreamAnswer, passed: PassedAnswer) {
    this.#exchanging = exchanging
    this.#answer = answer
    this.#passed = passed
    this.#idle = timeoutsOn(exchanging.prepared.route, exchanging.context).idle
    this.#lastRead = exchanging.context.watchdog.now()
  }

  start(): void {
    const { exchange, recorder, context } = this.#exchanging
    exchange.reply.listener = this
    recorder.began(this.#answer.status)
    exchange.reply.head(this.#answer.status, returnedHeaders(this.#answer.headers))
    context.watchdog.watch(this)
    this.#answer.listen(this)
  }

  data(bytes: Uint8Array): void {
    if (this.#isDone) return
    this.#lastRead = this.#exchanging.context.watchdog.now()
    this.#passed.push(bytes)
    this.#isBetweenEvents = bytes.at(-1) === LINE_FEED && bytes.at(-2) === LINE_FEED
    if (this.#exchanging.exchange.reply.write(bytes)) return
    this.#isPaused = true
    this.#answer.pause()
  }

  end(): void {
    if (this.#isDone) return
    this.#exchanging.exchange.reply.end()
    this.#passed.end()
    this.#finish(this.#answer.status < 400 ? 'answered' : 'failed', this.#passed.error)
  }

  error(error: Error): void {
    if (this.#isDone) return
    // The bytes are the upstream's own, so its cut stays a cut.
    this.#exchanging.exchange.reply.close()
    this.#finish('failed', connectionError(error, this.#exchanging.prepared.route.upstream))
  }

  get deadline(): number {
    return this.#isPaused ? Infinity : this.#lastRead + this.#idle
  }

  expired(): void {
    this.error(new HubError('timeout_error', 'the upstream was silent for too long'))
  }

  /** We end it ourselves: where the client can be told why, it is. */
  fail(error: HubError): void {
    if (this.#isDone) return
    const isStream = this.#answer.headers['content-type']?.startsWith('text/event-stream') === true
    const { exchange, context } = this.#exchanging
    exchange.reply.close(isStream && this.#isBetweenEvents ? errorEvent(error, context.client) : undefined)
    this.#finish('failed', error)
  }

  drained(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#lastRead = this.#exchanging.context.watchdog.now()
    this.#answer.resume()
  }

  gone(): void {
    this.#finish('aborted')
  }

  #finish(outcome: 'answered' | 'failed' | 'aborted', error?: HubError): void {
    if (this.#isDone) return
    this.#isDone = true
    this.#exchanging.context.watchdog.forget(this)
    this.#exchanging.recorder.done(outcome, { summary: this.#passed.summary, error })
    if (outcome !== 'answered') this.#answer.abort()
  }
}

function errorEvent(error: HubError, client: ClientDialect): string {
  const encoder = client.encodeStream()
  encoder.error(error)
  return encoder.take()
}
