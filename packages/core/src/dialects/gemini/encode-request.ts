import { nothingToAnswer } from '../../encode/turns.ts'
import { newEncoding, replyContext } from '../../encode/encoding.ts'
import { repair } from '../../history/repair.ts'
import type { HubRequest } from '../../hub/request.ts'
import { refuseAnthropicOnly } from '../anthropic-only.ts'
import type { EncodedRequest, Target } from '../dialect.ts'
import type { Encoding } from './encoding.ts'
import { encodeMessages, encodeSystem } from './messages.ts'
import { encodeParameters, ownStopSequences, promptedSchema } from './parameters.ts'
import type { GeminiProfile } from './profile.ts'
import { encodeTools } from './tools.ts'

/** Turns a hub request into a body that the target accepts, with notes on everything that had to change. */
export function encodeRequest(request: HubRequest, target: Target<GeminiProfile>): EncodedRequest {
  refuseAnthropicOnly(request)
  const encoding = newEncoding(request, target)
  const { profile, notes } = encoding
  const history = repair(request.messages, profile, notes)
  const contents = encodeMessages(request, history, encoding)
  if (contents.length === 0) throw nothingToAnswer(request)
  const isStream = request.stream === true
  return {
    path: `/${modelPath(target.model)}:${isStream ? 'streamGenerateContent' : 'generateContent'}`,
    query: isStream ? 'alt=sse' : '',
    headers: {},
    body: {
      ...systemInstruction(request, encoding),
      // References to deferred tools are in the contents, so the tools come after them here; in the body the
      // contents come last, so that a longer conversation begins with the same bytes.
      ...encodeTools(request, encoding),
      ...encodeParameters(request, encoding),
      contents,
    },
    reply: {
      ...replyContext(request, encoding, ownStopSequences(request, encoding)),
      takesClosingProof: target.client?.takesClosingProof === true,
    },
    notes: notes.list,
  }
}

/** The path of a model: tuned ones have a folder of their own, and a name may hold slashes. */
export function modelPath(model: string): string {
  const full = /^(?:models|tunedModels|dynamic)\//.test(model) ? model : `models/${model}`
  return full.split('/').map(encodeURIComponent).join('/')
}

function systemInstruction(request: HubRequest, encoding: Encoding): Record<string, unknown> {
  const instruction = promptedSchema(request, encoding)
  const parts = [...encodeSystem(request, encoding), ...(instruction === '' ? [] : [{ text: instruction }])]
  return parts.length === 0 ? {} : { systemInstruction: { parts } }
}
