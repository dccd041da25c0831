import { newEncoding, replyContext, stopSequences } from '../../encode/encoding.ts'
import { notePrefill, nothingToAnswer } from '../../encode/turns.ts'
import { repair } from '../../history/repair.ts'
import type { HubRequest } from '../../hub/request.ts'
import { refuseAnthropicOnly } from '../anthropic-only.ts'
import type { EncodedRequest, Target } from '../dialect.ts'
import { encodeReasoning } from './effort.ts'
import type { Encoding } from './encoding.ts'
import { encodeInput, encodeInstructions } from './messages.ts'
import { encodeParameters } from './parameters.ts'
import type { ResponsesProfile } from './profile.ts'
import { encodeTools, searchesWeb } from './tools.ts'
import { ENCRYPTED_REASONING, SEARCH_SOURCES } from './wire.ts'

/** Turns a hub request into a body that the target accepts, with notes on everything that had to change. */
export function encodeRequest(request: HubRequest, target: Target<ResponsesProfile>): EncodedRequest {
  refuseAnthropicOnly(request)
  const encoding = newEncoding(request, target)
  const history = repair(request.messages, encoding.profile, encoding.notes)
  notePrefill(request, history, encoding)
  const input = encodeInput(request, history, encoding)
  if (input.length === 0) throw nothingToAnswer(request)
  const tools = encodeTools(request, encoding)
  const body = {
    model: target.model,
    ...encodeInstructions(request, encoding),
    ...encodeParameters(request, encoding),
    ...encodeReasoning(request, encoding),
    // Nothing is left behind at the provider: the conversation is the client's to keep.
    store: false,
    ...included(encoding, searchesWeb(tools)),
    ...tools,
    // Last, so that a longer conversation begins with the same bytes.
    input,
  }
  return {
    path: '/responses',
    query: '',
    headers: {},
    body,
    // The API knows no stop sequences at all.
    reply: replyContext(request, encoding, stopSequences(request)),
    notes: encoding.notes.list,
  }
}

/** What the answer shall hold beyond the usual. */
function included({ profile }: Encoding, searches: boolean): Record<string, unknown> {
  const include = [
    ...(profile.encryptsReasoning ? [ENCRYPTED_REASONING] : []),
    ...(searches ? [SEARCH_SOURCES] : []),
  ]
  return include.length === 0 ? {} : { include }
}
