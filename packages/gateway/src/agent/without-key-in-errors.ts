import type { MessageSink } from '@hydra/core'
import type { Secret } from '../secret.ts'
import { withoutKey } from '../upstream/failure.ts'

/** Wraps a sink so that no error holds the key: a server may quote it, and errors go into histories. */
export function withoutKeyInErrors(sink: MessageSink, key: Secret | undefined): MessageSink {
  if (key === undefined) return sink
  return {
    messageStart: (head) => sink.messageStart(head),
    blockStart: (block) => sink.blockStart(block),
    text: (delta) => sink.text(delta),
    thinking: (delta) => sink.thinking(delta),
    signature: (value) => sink.signature(value),
    inputJson: (delta) => sink.inputJson(delta),
    extra: (delta) => sink.extra(delta),
    blockStop: () => sink.blockStop(),
    messageStop: (stop, usage) => sink.messageStop(stop, usage),
    error: (error) => sink.error(withoutKey(error, key)),
  }
}
