import type { GatewayContext } from '../context.ts'
import { callTargets } from './call-targets.ts'
import type { DialectExchange } from './exchange.ts'
import { passThrough } from './pass-through.ts'
import { prepare } from './prepare.ts'
import { ExchangeReporter } from './exchange-reporter.ts'
import { refuse } from './refuse.ts'
import { lookForLoop } from '../loop-guard/look-for-loop.ts'
import { stopTurn } from '../loop-guard/stop-turn.ts'
import { TapedReply } from '../taping/taped-reply.ts'
import { beginTaping, type Taping } from '../taping/taping.ts'
import { beginWaiting } from './waiting-call.ts'

/** Has a model answer; the answer may still be under way when it resolves. */
export async function generate<Native>(
  exchange: DialectExchange<Native>,
  context: GatewayContext<Native>,
): Promise<void> {
  const reporter = new ExchangeReporter(exchange, context)
  try {
    const taping = beginTaping(exchange, context)
    reporter.taping = taping
    await answer(taping === undefined ? exchange : taped(exchange, taping), context, reporter)
  } catch (thrown) {
    reporter.done('failed', { error: refuse(thrown, exchange, { reporter, context }) })
  }
}

function taped<Native>(exchange: DialectExchange<Native>, taping: Taping): DialectExchange<Native> {
  return { ...exchange, reply: new TapedReply(exchange.reply, taping) }
}

async function answer<Native>(
  exchange: DialectExchange<Native>,
  context: GatewayContext<Native>,
  reporter: ExchangeReporter<Native>,
): Promise<void> {
  const waiting = beginWaiting(exchange, context)
  try {
    const read = await waiting.bound(prepare(exchange, context, reporter))
    const { prepared, trip } = lookForLoop(read, context, reporter)
    const active = { exchange, context, reporter, prepared, waiting }
    if (trip?.mode === 'stop') stopTurn(active, trip)
    else if (prepared.route.passthrough) await passThrough(active)
    else await callTargets(active)
  } catch (thrown) {
    const error = waiting.explain(thrown)
    if (waiting.isClientGone) reporter.done('aborted')
    else reporter.done('failed', { error: refuse(error, exchange, { reporter, context }) })
  } finally {
    waiting.stop()
  }
}
