import { HubError } from '@hydra/core'
import { withoutKeys } from '../query.ts'
import { dialectOf, timeoutsOn } from '../context.ts'
import { addressOf } from '../upstream/address.ts'
import { connectionError } from '../upstream/failure.ts'
import { passthroughHeaders, returnedHeaders } from '../upstream/headers.ts'
import { connect } from '../upstream/open-answer.ts'
import { send } from '../upstream/send.ts'
import type { BodyListener, UpstreamAnswer } from '../upstream/transport.ts'
import { tapedTransport } from '../taping/taped-transport.ts'
import { NOWHERE, type Watched } from '../watchdog.ts'
import type { ReplyListener } from './exchange.ts'
import { type ActiveExchange, sendContext, upstreamOf } from './active-exchange.ts'
import { PassedAnswer } from './passed-answer.ts'

/** Sends a request on unchanged, with the client's own credentials, and brings back the answer as it is. */
export async function passThrough<Native>(active: ActiveExchange<Native>): Promise<void> {
  const { exchange, context, reporter, prepared, waiting } = active
  const { route, body, request } = prepared
  const target = { upstream: route.upstream, model: request.model }
  const upstream = upstreamOf(context, target)
  reporter.target(route.name, target)
  const endpoint = { path: belowVersion(exchange.path), query: withoutKeys(exchange.query).slice(1) }
  const url = addressOf(upstream, endpoint, dialectOf(upstream))
  const ownKey = context.options.guard?.key
  const headers = { ...passthroughHeaders(exchange.headers, ownKey), ...upstream.headers }
  const transport = tapedTransport(context.transport, reporter.taping, () => ({
    upstream: target.upstream,
    dialect: upstream.dialect,
    passthrough: true,
  }))
  // Only a call that got no answer at all is tried again: every status is the client's to see.
  const answer = await send(() => {
    const signal = waiting.call(target.upstream, timeoutsOn(route, context).firstByte)
    return connect(transport, { url, headers, body, signal }, target.upstream)
  }, sendContext(active))
  waiting.throwIfOver()
  waiting.stop()
  // A runtime that hides redirects gives them no status.
  if (answer.status < 200) throw new HubError('api_error', 'the upstream redirects', { status: 502 })
  const { model } = request
  const passed = new PassedAnswer(answer, { upstream, model, messageId: reporter.id, presented: exchange })
  new Relay(active, answer, passed).start()
}

/** The path of an endpoint below the version that an upstream's base URL ends with. */
function belowVersion(path: string): string {
  return path.replace(/^\/v\d+\w*(?=\/)/, '')
}

const LINE_FEED = 10

/** Carries bytes from the upstream to the client; somebody reads along for the report. */
class Relay<Native> implements BodyListener, ReplyListener, Watched {
  readonly #active: ActiveExchange<Native>
  readonly #answer: UpstreamAnswer
  readonly #passed: PassedAnswer
  readonly #idle: number
  #lastRead: number
  #isPaused = false
  #isDone = false
  /** The client has whole events only, so that one of ours may follow. */
  #isBetweenEvents = false
  place: number = NOWHERE

  constructor(active: ActiveExchange<Native>, answer: UpstreamAnswer, passed: PassedAnswer) {
    this.#active = active
    this.#answer = answer
    this.#passed = passed
    this.#idle = timeoutsOn(active.prepared.route, active.context).idle
    this.#lastRead = active.context.watchdog.now()
  }

  start(): void {
    const { exchange, reporter, context } = this.#active
    exchange.reply.listener = this
    reporter.began(this.#answer.status)
    exchange.reply.head(this.#answer.status, returnedHeaders(this.#answer.headers))
    context.watchdog.watch(this)
    this.#answer.listen(this)
  }

  data(bytes: Uint8Array): void {
    if (this.#isDone) return
    this.#lastRead = this.#active.context.watchdog.now()
    this.#passed.push(bytes)
    this.#isBetweenEvents = bytes.at(-1) === LINE_FEED && bytes.at(-2) === LINE_FEED
    if (this.#active.exchange.reply.write(bytes)) return
    this.#isPaused = true
    this.#answer.pause()
  }

  end(): void {
    if (this.#isDone) return
    this.#active.exchange.reply.end()
    this.#passed.end()
    this.#finish(this.#answer.status < 400 ? 'answered' : 'failed', this.#passed.error)
  }

  error(error: Error): void {
    if (this.#isDone) return
    // The bytes are the upstream's own, so its cut stays a cut.
    this.#active.exchange.reply.close()
    this.#finish('failed', connectionError(error, this.#active.prepared.route.upstream))
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
    const { exchange } = this.#active
    exchange.reply.close(isStream && this.#isBetweenEvents ? errorEvent(error, this.#active) : undefined)
    this.#finish('failed', error)
  }

  drained(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#lastRead = this.#active.context.watchdog.now()
    this.#answer.resume()
  }

  gone(): void {
    this.#finish('aborted')
  }

  #finish(outcome: 'answered' | 'failed' | 'aborted', error?: HubError): void {
    if (this.#isDone) return
    this.#isDone = true
    this.#active.context.watchdog.forget(this)
    this.#active.reporter.done(outcome, { summary: this.#passed.summary, error })
    if (outcome !== 'answered') this.#answer.abort()
  }
}

function errorEvent<Native>(error: HubError, { exchange, prepared }: ActiveExchange<Native>): string {
  const encoder = exchange.caller.client.encodeStream(prepared.clientReply)
  encoder.error(error)
  return encoder.take()
}
