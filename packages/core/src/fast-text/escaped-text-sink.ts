import type { MessageSink } from '../hub/sink.ts'
import type { TextRun } from './text-run.ts'

/**
 * A sink that writes JSON, and therefore takes words still escaped, as they are between the quotes of a JSON string.
 * It is how a stream encoder opts into the fast path; without it, each delta comes as `text` or `inputJson`.
 */
export interface EscapedTextSink extends MessageSink {
  /** Deltas of text that followed one another, as the bytes they came in. */
  escapedRun(deltas: TextRun): void
  /** The same for pieces of a call's input. */
  escapedInput(pieces: TextRun): void
}

/** Whether a sink has opted in. */
export function takesEscapedText(sink: MessageSink): sink is EscapedTextSink {
  return 'escapedRun' in sink
}
