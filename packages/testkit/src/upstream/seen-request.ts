import type { IncomingHttpHeaders } from 'node:http'
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions'

/** A request as the upstream saw it, and what became of it. */
export interface SeenRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The body as it came. */
  readonly text: string
  /** The body, parsed; it is what its type says only if there are no problems. */
  readonly body: ChatCompletionCreateParams
  /** What a strict provider would have refused; the script is not played if there is anything. */
  readonly problems: readonly string[]
  /** How many bytes of the answer are on their way, headers and framing included. */
  readonly sent: number
  /** What became of the answer; one that the other side did not wait for is abandoned. */
  readonly outcome: 'answering' | 'answered' | 'cut' | 'abandoned'
  /** Settles when the connection is closed. */
  readonly closed: Promise<void>
}
