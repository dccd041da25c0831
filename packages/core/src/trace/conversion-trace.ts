import type { EncodedRequest, UpstreamDialect } from '../dialects/dialect.ts'
import type { Note } from '../hub/note.ts'
import type { HubRequest } from '../hub/request.ts'
import { type MessageOutline, outlineMessages } from './outline.ts'

/** What went into a translation and what came out, message by message, for a log: no words of the conversation. */
export interface ConversionTrace {
  readonly input: readonly MessageOutline[]
  readonly output: readonly MessageOutline[]
  readonly notes: readonly Note[]
}

/** Traces the translation of a request. */
export function traceConversion(
  request: HubRequest,
  encoded: EncodedRequest,
  upstream: Pick<UpstreamDialect, 'outline'>,
): ConversionTrace {
  return {
    input: outlineMessages(request.messages),
    output: upstream.outline(encoded.body),
    notes: encoded.notes,
  }
}
