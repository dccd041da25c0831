import {
  AnswerReader,
  type DialectName,
  type HubError,
  plainReply,
  registry,
  SILENT_SINK,
  type UpstreamDialect,
} from '@hydra/core'
import type { TapedAnswer } from '../format/tape.ts'

/** An answer as far as its failure is concerned. */
interface FailedAnswer extends Pick<TapedAnswer, 'status' | 'headers'> {
  readonly chunks: readonly { readonly bytes: Uint8Array }[]
}

/** The error that an answer in a dialect is, or ends with; a cut is none, because no error was sent. */
export function failureInAnswer(
  { status = 200, headers, chunks }: FailedAnswer,
  dialect: DialectName,
): HubError | undefined {
  const upstream = registry.get(dialect)?.upstream
  // Who speaks a dialect to clients only cannot read it.
  if (upstream === undefined) return undefined
  const bytes = Buffer.concat(chunks.map((chunk) => chunk.bytes))
  if (status >= 400) return upstream.decodeError({ status, headers, body: bytes.toString() })
  const reader = readerOf(upstream)
  reader.push(bytes)
  return reader.failure
}

/** The events of a stream before the one that reports a failure. */
export function eventsBeforeFailure(
  events: readonly Uint8Array[],
  dialect: DialectName,
): readonly Uint8Array[] {
  const upstream = registry.get(dialect)?.upstream
  if (upstream === undefined) return events
  const reader = readerOf(upstream)
  const telling = events.findIndex((event) => {
    reader.push(event)
    return reader.failure !== undefined
  })
  return telling === -1 ? events : events.slice(0, telling)
}

function readerOf(upstream: UpstreamDialect): AnswerReader {
  const reply = plainReply('', upstream.defaultProfile)
  return new AnswerReader({ upstream, reply, messageId: 'read' }, SILENT_SINK)
}
