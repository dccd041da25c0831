import { encodeErrorEvent } from '../../src/dialects/anthropic/error.ts'
import type { HubError } from '../../src/hub/error.ts'

/** The message that a client of Anthropic's gets for an error in a stream. */
export function clientWords(error: HubError | undefined): string | undefined {
  if (error === undefined) return undefined
  const [, data = ''] = /^data: (.*)$/m.exec(encodeErrorEvent(error)) ?? []
  return (JSON.parse(data) as { error: { message: string } }).error.message
}
