import type { GatewayContext } from '../context.ts'
import { callTargets } from './call-targets.ts'
import type { Exchange } from './exchange.ts'
import { passThrough } from './pass-through.ts'
import { prepare } from './prepare.ts'
import { Recorder } from './recorder.ts'
import { refuse } from './refuse.ts'
import { WaitingCall } from './waiting-call.ts'

/** Answers `POST /v1/messages`; the answer may still be under way when it resolves. */
export async function answerMessages<Native>(
  exchange: Exchange<Native>,
  context: GatewayContext<Native>,
): Promise<void> {
  const recorder = new Recorder(exchange, context)
  const waiting = new WaitingCall(context)
  exchange.reply.gone = () => waiting.abort()
  if (exchange.reply.isGone) waiting.abort()
  try {
    const prepared = await waiting.bound(prepare(exchange, context, recorder))
    const exchanging = { exchange, context, recorder, prepared, waiting }
    if (prepared.route.passthrough) await passThrough(exchanging)
    else await callTargets(exchanging)
  } catch (thrown) {
    const error = waiting.explain(thrown)
    if (waiting.isClientGone) recorder.done('aborted')
    else recorder.done('failed', { error: refuse(error, exchange.reply, { recorder, context }) })
  } finally {
    waiting.stop()
  }
}
