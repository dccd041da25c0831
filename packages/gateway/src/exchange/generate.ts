import { admitClient } from '../client/admit-client.ts'
import { type GatewayContext, timeoutsOn } from '../context.ts'
import type { ActiveExchange } from './active-exchange.ts'
import { callTargets } from './call-targets.ts'
import { EarlyHead } from './early-head.ts'
import type { DialectExchange } from './exchange.ts'
import { failInStream, belongsInStream } from './fail-in-stream.ts'
import { passThrough } from './pass-through.ts'
import { prepare, type PreparedRequest } from './prepare.ts'
import { ExchangeReporter } from './exchange-reporter.ts'
import { refuse } from './refuse.ts'
import { explainStackOverflow } from './explain-stack-overflow.ts'
import { lookForLoop } from '../loop-guard/look-for-loop.ts'
import { stopTurn } from '../loop-guard/stop-turn.ts'
import { TapedReply } from '../taping/taped-reply.ts'
import { beginTaping, type Taping } from '../taping/taping.ts'
import { watchClient } from './client-watch.ts'

/** Has a model answer; the answer may still be under way when it resolves. */
export async function generate<Native>(
  exchange: DialectExchange<Native>,
  context: GatewayContext<Native>,
): Promise<void> {
  const reporter = new ExchangeReporter(exchange, context)
  try {
    const taping = beginTaping(reporter.agent, context)
    if (taping !== undefined) reporter.recordedBy(taping)
    await answer({ exchange: taped(exchange, taping), context, reporter, taping })
  } catch (thrown) {
    reporter.done('failed', { error: refuse(thrown, exchange, { reporter, context }) })
  }
}

function taped<Native>(
  exchange: DialectExchange<Native>,
  taping: Taping | undefined,
): DialectExchange<Native> {
  return taping === undefined ? exchange : { ...exchange, reply: new TapedReply(exchange.reply, taping) }
}

type BegunExchange<Native> = Pick<ActiveExchange<Native>, 'exchange' | 'context' | 'reporter' | 'taping'>

async function answer<Native>(begun: BegunExchange<Native>): Promise<void> {
  const { exchange, context, reporter, taping } = begun
  const came = context.watchdog.now()
  const watch = watchClient(exchange, context, taping)
  let active: ActiveExchange<Native> | undefined
  try {
    const read = await watch.bound(prepare(begun))
    const { prepared, trip } = lookForLoop(read, context, reporter)
    const early = earlyHead({ exchange, context, reporter, prepared }, came)
    watch.early = early
    active = { ...begun, prepared, watch, early }
    if (exchange.identity !== undefined) await admitClient(active, exchange.identity)
    if (trip?.mode === 'stop') stopTurn(active, trip)
    else if (prepared.route.passthrough) await passThrough(active)
    else await callTargets(active)
  } catch (thrown) {
    const error = watch.explain(explainStackOverflow(thrown, active && requestOf(active.prepared)))
    if (watch.isClientGone) reporter.done('aborted')
    else if (active !== undefined && belongsInStream(error, active)) failInStream(error, active)
    else reporter.done('failed', { error: refuse(error, exchange, { reporter, context }) })
  } finally {
    watch.stop()
  }
}

/** The request in the client's own words, if it still is what the client sent. */
function requestOf({ relayed, request }: PreparedRequest): unknown {
  return relayed === undefined ? request : relayed.call.body
}

/** For clients with a short header timeout; an answer that passes through keeps the upstream's own head. */
function earlyHead<Native>(
  { exchange, context, reporter, prepared }: Omit<ActiveExchange<Native>, 'watch' | 'taping' | 'early'>,
  came: number,
): EarlyHead<Native> | undefined {
  const { stream } = prepared.clientReply
  if (stream?.headWithin === undefined || prepared.route.passthrough) return undefined
  return new EarlyHead({
    client: exchange.caller.client,
    stream,
    reply: exchange.reply,
    reporter,
    due: came + stream.headWithin,
    keepAlive: timeoutsOn(prepared.route, context).keepAlive,
  })
}
