import type { IncomingHttpHeaders } from 'node:http'
import {
  type DialectName,
  type FindingCode,
  type HubRequest,
  openaiChat,
  registry,
  validate,
} from '@hydra/core'
import { validateChatRequest } from '@hydra/testkit'
import { UPSTREAM_KEY } from '../keys.ts'

/** A request, and the conversation it belongs to. */
export interface Judged {
  readonly dialect: DialectName
  readonly headers: IncomingHttpHeaders
  readonly raw: string
  readonly request: HubRequest
  readonly session: { readonly model: string }
}

/** Turns of one side in a row are legal in most dialects; agents send them. */
const LEGAL: ReadonlySet<FindingCode> = new Set(['consecutive_roles'])

/** What a provider would refuse about a request, and what must not reach it. */
export function problemsOf({ dialect, headers, raw, request, session }: Judged): string[] {
  const { keyHeader = '' } = registry.get(dialect)?.upstream ?? {}
  const key = String(headers[keyHeader]).replace(/^Bearer /, '')
  return [
    ...(key === UPSTREAM_KEY ? [] : [`${keyHeader}: expected the key of the upstream`]),
    ...(request.model === session.model ? [] : [`model: expected ${session.model}, got ${request.model}`]),
    ...(raw.isWellFormed() ? [] : ['the body holds half a character']),
    ...validate(request.messages).flatMap(({ code, message }) => (LEGAL.has(code) ? [] : message)),
    ...(dialect === openaiChat.name ? validateChatRequest(JSON.parse(raw)) : []),
  ]
}
