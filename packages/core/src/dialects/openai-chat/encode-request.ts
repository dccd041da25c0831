import { invalidRequest } from '../../hub/error.ts'
import { Notes } from '../../hub/note.ts'
import type { HubMessage, HubRequest } from '../../hub/request.ts'
import { repair } from '../../history/repair.ts'
import { CallIdsInUse, WireCallIds } from '../../identity/call-ids.ts'
import { ToolNames } from '../../identity/tool-names.ts'
import { profileFor } from '../../profiles/profile.ts'
import { refuseAnthropicOnly } from '../anthropic-only.ts'
import type { EncodedRequest, Target } from '../dialect.ts'
import { nameOf, placedTools } from '../placed-tools.ts'
import { encodeEffort } from './effort.ts'
import type { Encoding } from './encoding.ts'
import { encodeMessages } from './messages.ts'
import { encodeParameters, ownStopSequences, stopSequences } from './parameters.ts'
import type { ChatProfile } from './profile.ts'
import { encodeTools } from './tools.ts'

/** Turns a hub request into a body that the target accepts, with notes on everything that had to change. */
export function encodeRequest(request: HubRequest, target: Target<ChatProfile>): EncodedRequest {
  refuseAnthropicOnly(request)
  const encoding = newEncoding(request, target)
  const history = repair(request.messages, encoding.profile, encoding.notes)
  notePrefill(request, history, encoding)
  const messages = encodeMessages(request, history, encoding)
  if (messages.length === 0) throw invalidRequest('messages', 'expected something to answer, got empty turns')
  const body = {
    model: target.model,
    ...encodeParameters(request, encoding),
    ...encodeEffort(request, encoding),
    // References to deferred tools are in the messages, so the tools come after them here; in the body
    // the messages come last, so that a longer conversation begins with the same bytes.
    ...encodeTools(request, encoding),
    messages,
  }
  return {
    path: '/chat/completions',
    query: '',
    headers: {},
    body,
    reply: replyContext(request, encoding),
    notes: encoding.notes.list,
  }
}

function newEncoding(request: HubRequest, { model, profile: preset, client }: Target<ChatProfile>): Encoding {
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
  return {
    model: request.model,
    profile: encoding.profile,
    names: encoding.names,
    callIds: encoding.callIds,
    stopSequences: stopSequences(request),
    ownStopSequences: ownStopSequences(request, encoding),
  }
}

function notePrefill({ messages }: HubRequest, history: readonly HubMessage[], { notes }: Encoding): void {
  if (history.at(-1)?.role !== 'assistant') return
  const index = messages.findLastIndex(({ role }) => role === 'assistant')
  notes.add('prefill_kept', `messages[${index}]`, 'the upstream answers this turn rather than continue it')
}
