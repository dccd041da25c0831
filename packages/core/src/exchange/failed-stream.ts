import type { ClientDialect, ClientReply } from '../dialects/dialect.ts'
import { asText } from '../sse/as-text.ts'
import type { HubError } from '../hub/error.ts'

/** Whether a failure belongs inside the stream, because the client recognises it only there. */
export function failsInStream(error: HubError, { stream }: ClientReply): boolean {
  return error.overflow !== undefined && stream?.streamsOverflow === true
}

/** A stream that begins and ends with a failure. */
export function failedStream(error: HubError, client: ClientDialect, reply: ClientReply): string {
  const encoder = client.encodeStream(reply)
  encoder.error(error)
  return asText(encoder.take())
}
