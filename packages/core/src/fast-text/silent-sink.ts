import type { EscapedTextSink } from './escaped-text-sink.ts'

/** A sink that says nothing: for answers that are read for what they came to. */
export const SILENT_SINK: EscapedTextSink = {
  messageStart() {},
  blockStart() {},
  text() {},
  thinking() {},
  signature() {},
  inputJson() {},
  extra() {},
  blockStop() {},
  messageStop() {},
  error() {},
  escapedRun() {},
  escapedInput() {},
}
