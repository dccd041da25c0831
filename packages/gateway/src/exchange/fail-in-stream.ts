import { failedStream, failsInStream, type HubError } from '@hydra/core'
import type { ActiveExchange } from './active-exchange.ts'
import { streamHeaders } from './early-head.ts'

/** Whether an error must be sent inside of a stream: its head was sent, or the client recognises it only there. */
export function belongsInStream<Native>(
  error: HubError,
  { prepared, early }: ActiveExchange<Native>,
): boolean {
  return early?.isSent === true || failsInStream(error, prepared.clientReply)
}

/** Answers with a stream of nothing but an error. At most the head may have been sent before. */
export function failInStream<Native>(
  error: HubError,
  { exchange, prepared, reporter, early }: ActiveExchange<Native>,
): void {
  const { reply, caller } = exchange
  const { stream } = prepared.clientReply
  if (early?.isSent !== true) {
    reporter.began(200)
    reply.head(200, streamHeaders(stream?.contentType ?? '', caller.client, reporter))
  }
  reply.close(failedStream(error, caller.client, prepared.clientReply))
  reporter.done('failed', { error })
}
