import type { GatewayContext } from '../context.ts'
import { callTargets } from './call-targets.ts'
import type { Exchange } from './exchange.ts'
import { passThrough } from './pass-through.ts'
import { prepare } from './prepare.ts'
import { Recorder } from './recorder.ts'
import { refuse } from './refuse.ts'
import { lookForLoop } from '../loop-guard/look-for-loop.ts'
import { stopTurn } from '../loop-guard/stop-turn.ts'
import { TapedReply } from '../taping/taped-reply.ts'
import { beginTaping, type Taping } from '../taping/taping.ts'
import { beginWaiting } from './waiting-call.ts'

/** Answers `POST /v1/messages`; the answer may still be under way when it resolves. */
export async function answerMessages<Native>(
  exchange: Exchange<Native>,
  context: GatewayContext<Native>,
): Promise<void> {
  const recorder = new Recorder(exchange, context)
  try {
    const taping = beginTaping(exchange, context)
    recorder.taping = taping
    await answer(taping === undefined ? exchange : taped(exchange, taping), context, recorder)
  } catch (thrown) {
    recorder.done('failed', { error: refuse(thrown, exchange.reply, { recorder, context }) })
  }
}

function taped<Native>(exchange: Exchange<Native>, taping: Taping): Exchange<Native> {
  return { ...exchange, reply: new TapedReply(exchange.reply, taping) }
}

async function answer<Native>(
  exchange: Exchange<Native>,
  context: GatewayContext<Native>,
  recorder: Recorder<Native>,
): Promise<void> {
  const waiting = beginWaiting(exchange, context)
  try {
    const read = await waiting.bound(prepare(exchange, context, recorder))
    const { prepared, trip } = lookForLoop(read, context, recorder)
    const exchanging = { exchange, context, recorder, prepared, waiting }
    if (trip?.mode === 'stop') stopTurn(exchanging, trip)
    else if (prepared.route.passthrough) await passThrough(exchanging)
    else await callTargets(exchanging)
  } catch (thrown) {
    const error = waiting.explain(thrown)
    if (waiting.isClientGone) recorder.done('aborted')
    else recorder.done('failed', { error: refuse(error, exchange.reply, { recorder, context }) })
  } finally {
    waiting.stop()
  }
}
