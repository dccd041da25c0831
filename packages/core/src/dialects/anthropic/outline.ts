import type { HubRequest } from '../../hub/request.ts'
import { type MessageOutline, outlineMessages } from '../../trace/outline.ts'

/** The outlines of the messages in a request body. */
export function outline(body: Readonly<Record<string, unknown>>): MessageOutline[] {
  return outlineMessages(body['messages'] as HubRequest['messages'])
}
