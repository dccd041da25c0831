import {
  type ClientDialect,
  Collector,
  type HubStop,
  loopStopWords,
  type LoopTrip,
  type MessageHead,
  type MessageSink,
  usageOf,
} from '@hydra/core'
import type { Exchanging } from '../exchange/exchanging.ts'

const END: HubStop = { stop_reason: 'end_turn', stop_sequence: null, stop_details: null }

/**
 * Ends the turn of a model that runs in circles: the client gets a normal message that says what repeated.
 * It is no error, because clients try errors again. No upstream is called, so no token is used.
 */
export function stopTurn<Native>(
  { exchange, context, recorder, prepared, waiting }: Exchanging<Native>,
  trip: LoopTrip,
): void {
  waiting.throwIfOver()
  waiting.stop()
  const { request, route } = prepared
  const head = { id: `msg_${context.newId()}`, model: route.spoof ?? request.model, usage: usageOf({}) }
  const say = (sink: MessageSink): void => tell(sink, head, loopStopWords(trip))
  recorder.began(200)
  exchange.reply.head(200, {
    'content-type': request.stream ? 'text/event-stream; charset=utf-8' : 'application/json',
    'cache-control': 'no-cache, no-transform',
    'request-id': recorder.id,
    'x-hydra-notes': String(recorder.noteCount),
  })
  exchange.reply.end(request.stream ? streamed(context.client, say) : whole(context.client, say))
  recorder.done('answered', { summary: { toolCalls: 0, usage: head.usage, stopReason: END.stop_reason } })
}

function tell(sink: MessageSink, head: MessageHead, words: string): void {
  sink.messageStart(head)
  sink.blockStart({ type: 'text' })
  sink.text(words)
  sink.blockStop()
  sink.messageStop(END, head.usage)
}

type Say = (sink: MessageSink) => void

function streamed(client: ClientDialect, say: Say): string {
  const encoder = client.encodeStream()
  say(encoder)
  return encoder.take()
}

function whole(client: ClientDialect, say: Say): string {
  const collector = new Collector()
  say(collector)
  return JSON.stringify(collector.message && client.encodeResponse(collector.message))
}
