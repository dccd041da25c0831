import { requestBody } from '../core/pair-exchange.ts'
import type { RequestSize } from '../core/requests.ts'
import type { ClientEntry } from '../dialects/benched.ts'
import type { SentRequest } from './load.ts'

/** The size that Claude Code sends. */
const LONG: RequestSize = { tools: 24, system: 20_000, messages: 3, message: 600 }
const SHORT: RequestSize = { tools: 0, system: 0, messages: 1, message: 800 }

/** A request of the size that Claude Code sends. */
export function longRequest(client: ClientEntry): SentRequest {
  return sentRequest(client, LONG, true)
}

/** A request of one short message. */
export function shortRequest(client: ClientEntry, stream = true): SentRequest {
  return sentRequest(client, SHORT, stream)
}

function sentRequest(client: ClientEntry, size: RequestSize, stream: boolean): SentRequest {
  const { path, query } = client.benched.address(stream)
  const suffix = new URLSearchParams(query).toString()
  return {
    path: suffix === '' ? path : `${path}?${suffix}`,
    body: Buffer.from(requestBody(client, size, stream)),
  }
}
