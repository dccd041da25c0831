import { repair } from '../../history/repair.ts'
import { invalidRequest } from '../../hub/error.ts'
import { Notes } from '../../hub/note.ts'
import type { HubMessage, HubRequest } from '../../hub/request.ts'
import { CallIdsInUse, WireCallIds } from '../../identity/call-ids.ts'
import { ToolNames } from '../../identity/tool-names.ts'
import { profileFor } from '../../profiles/profile.ts'
import { refuseAnthropicOnly } from '../anthropic-only.ts'
import type { EncodedRequest, Target } from '../dialect.ts'
import { nameOf, placedTools } from '../placed-tools.ts'
import { encodeReasoning } from './effort.ts'
import type { Encoding } from './encoding.ts'
import { encodeInput, encodeInstructions } from './messages.ts'
import { encodeParameters, stopSequences } from './parameters.ts'
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
  if (input.length === 0) throw invalidRequest('messages', 'expected something to answer, got empty turns')
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
    reply: replyContext(request, encoding),
    notes: encoding.notes.list,
  }
}

function newEncoding(
  request: HubRequest,
  { model, profile: preset, client }: Target<ResponsesProfile>,
): Encoding {
  const profile = profileFor(preset, model)
  const tools = placedTools(request)
  return {
    profile,
    notes: new Notes(),
    tools,
    names: new ToolNames(
      profile.toolNameLength,
      tools.map(({ tool }) => nameOf(tool)),
    ),
    wireIds: new WireCallIds(profile.callIds),
    callIds: new CallIdsInUse(client),
    referencedTools: new Set(),
  }
}

function replyContext(request: HubRequest, encoding: Encoding): EncodedRequest['reply'] {
  const sequences = stopSequences(request)
  return {
    model: request.model,
    profile: encoding.profile,
    names: encoding.names,
    callIds: encoding.callIds,
    stopSequences: sequences,
    // The API knows no stop sequences at all.
    ownStopSequences: sequences,
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

function notePrefill({ messages }: HubRequest, history: readonly HubMessage[], { notes }: Encoding): void {
  if (history.at(-1)?.role !== 'assistant') return
  const index = messages.findLastIndex(({ role }) => role === 'assistant')
  notes.add('prefill_kept', `messages[${index}]`, 'the upstream answers this turn rather than continue it')
}
