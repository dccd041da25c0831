import { hasCacheMarks } from '../../encode/cache-marks.ts'
import { newEncoding, replyContext } from '../../encode/encoding.ts'
import { notePrefill, nothingToAnswer } from '../../encode/turns.ts'
import type { HubRequest } from '../../hub/request.ts'
import { repair } from '../../history/repair.ts'
import { refuseAnthropicOnly } from '../anthropic-only.ts'
import type { EncodedRequest, Target } from '../dialect.ts'
import { encodeEffort } from './effort.ts'
import type { Encoding } from './encoding.ts'
import { encodeMessages } from './messages.ts'
import { encodeParameters, ownStopSequences } from './parameters.ts'
import type { ChatProfile } from './profile.ts'
import { encodeTools } from './tools.ts'

/** Turns a hub request into a body that the target accepts, with notes on everything that had to change. */
export function encodeRequest(request: HubRequest, target: Target<ChatProfile>): EncodedRequest {
  refuseAnthropicOnly(request)
  const encoding = newEncoding(request, target)
  const history = repair(request.messages, encoding.profile, encoding.notes)
  if (encoding.profile.takesPrefill) notePrefill(request, history, encoding)
  const messages = encodeMessages(request, history, encoding)
  if (messages.length === 0) throw nothingToAnswer(request)
  const body = {
    model: target.model,
    ...caching(request, target, encoding),
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
    reply: replyContext(request, encoding, ownStopSequences(request, encoding)),
    notes: encoding.notes.list,
  }
}

/** Asks for the prompt to be cached, for clients that want it or cannot say it. */
function caching(
  request: HubRequest,
  { client }: Target<ChatProfile>,
  { profile, notes }: Encoding,
): Record<string, unknown> {
  if (!profile.takesCacheControl || client === undefined) return {}
  if (client.marksCaches === true && !hasCacheMarks(request) && !request.cache_control) return {}
  notes.add('cache_marks_added', 'messages', 'the upstream is asked to cache the prompt')
  return { cache_control: { type: 'ephemeral' } }
}
