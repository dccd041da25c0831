import {
  asText,
  type ClientDialect,
  type ClientReply,
  Collector,
  type HubStop,
  loopStopWords,
  type LoopTrip,
  type MessageHead,
  type MessageSink,
  usageOf,
} from '@hydra/core'
import type { ActiveExchange } from '../exchange/active-exchange.ts'

const END: HubStop = { stop_reason: 'end_turn', stop_sequence: null, stop_details: null }

/**
 * Ends the turn of a model that runs in circles: the client gets a normal message that says what repeated.
 * It is no error, because clients try errors again. No upstream is called, so no token is used.
 */
export function stopTurn<Native>(
  { exchange, context, reporter, prepared, watch }: ActiveExchange<Native>,
  trip: LoopTrip,
): void {
  watch.throwIfOver()
  watch.stop()
  const { request, clientReply, route, notes } = prepared
  reporter.decoded(notes)
  const { client } = exchange.caller
  const { stream } = clientReply
  const head = {
    id: client.newId.message(context.newId()),
    model: route.spoof ?? request.model,
    usage: usageOf({}),
  }
  const say = (sink: MessageSink): void => tell(sink, head, loopStopWords(trip))
  reporter.began(200)
  exchange.reply.head(200, {
    'content-type': stream?.contentType ?? 'application/json',
    'cache-control': 'no-cache, no-transform',
    ...client.answerHeaders(reporter.id),
    ...reporter.limitHeaders,
    'x-hydra-notes': String(reporter.noteCount),
  })
  exchange.reply.end((stream === undefined ? whole : streamed)(client, clientReply, say))
  reporter.done('answered', {
    summary: {
      toolCalls: 0,
      usage: head.usage,
      stopReason: END.stop_reason,
      isEstimated: false,
      outputEstimate: 0,
    },
  })
}

function tell(sink: MessageSink, head: MessageHead, words: string): void {
  sink.messageStart(head)
  sink.blockStart({ type: 'text' })
  sink.text(words)
  sink.blockStop()
  sink.messageStop(END, head.usage)
}

type Say = (sink: MessageSink) => void

function streamed(client: ClientDialect, reply: ClientReply, say: Say): string {
  const encoder = client.encodeStream(reply)
  say(encoder)
  return asText(encoder.take())
}

function whole(client: ClientDialect, reply: ClientReply, say: Say): string {
  const collector = new Collector()
  say(collector)
  return JSON.stringify(collector.message && client.encodeResponse(collector.message, reply))
}
