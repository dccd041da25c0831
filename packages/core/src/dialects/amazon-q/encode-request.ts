import { newEncoding, replyContext, stopSequences } from '../../encode/encoding.ts'
import { nothingToAnswer, systemText } from '../../encode/turns.ts'
import { joined } from '../../encode/words.ts'
import type { HubRequest } from '../../hub/request.ts'
import { type HistoryNeeds, repair } from '../../history/repair.ts'
import { refuseAnthropicOnly } from '../anthropic-only.ts'
import type { EncodedRequest, Target } from '../dialect.ts'
import type { Encoding } from './encoding.ts'
import { type UserTurn, userMessage } from './message-list.ts'
import { encodeMessages } from './messages.ts'
import { noteParameters, promptedSchema } from './parameters.ts'
import type { QProfile } from './profile.ts'
import { encodeTools } from './tools.ts'
import type { QConversation, QTool, QUserMessage } from './wire.ts'

/** The operation that the service is asked for, and the types of its messages: its address says nothing of them. */
const HEADERS = {
  'content-type': 'application/x-amz-json-1.0',
  accept: 'application/vnd.amazon.eventstream',
  'x-amz-target': 'AmazonCodeWhispererStreamingService.GenerateAssistantResponse',
} as const

/** These are rules of the format and not of one provider, so no profile says otherwise. */
const NEEDS: HistoryNeeds = {
  consecutiveTurns: 'merge-assistant',
  firstTurn: 'user',
  repeatedResults: 'error',
}

/** Turns a hub request into strict turns and a current message, with notes on everything that had to change. */
export function encodeRequest(request: HubRequest, target: Target<QProfile>): EncodedRequest {
  refuseAnthropicOnly(request)
  const encoding = newEncoding(request, target)
  const turns = encodeMessages(request, repair(request.messages, NEEDS, encoding.notes), encoding)
  if (turns === undefined) throw nothingToAnswer(request)
  noteParameters(request, encoding)
  const currentMessage = {
    userInputMessage: {
      ...currentTurn(request, turns.current, encoding),
      ...contextOf(turns.current, encodeTools(request, encoding)),
      modelId: target.model,
    },
  }
  const id = target.newId?.()
  const conversationState: QConversation = {
    // The history comes first and the id last, so that a longer conversation begins with the same bytes.
    history: turns.history,
    currentMessage,
    chatTriggerType: 'MANUAL',
    ...(id !== undefined && { conversationId: id }),
  }
  // The schemas of tools nest so deep that V8's fast writer of JSON would give up behind the whole history and begin
  // anew; an object without a prototype is not for that writer from the start.
  const body = { __proto__: null, conversationState }
  return {
    path: '',
    query: '',
    headers: HEADERS,
    body,
    reply: replyContext(request, encoding, stopSequences(request)),
    notes: encoding.notes.list,
  }
}

/** The turn to answer, led by the system prompt: the service keeps nothing, so each request says it anew. */
function currentTurn(request: HubRequest, turn: UserTurn, encoding: Encoding): QUserMessage {
  const system = joined([systemText(request.system, encoding), promptedSchema(request, encoding)])
  if (system === '') return userMessage(turn)
  encoding.notes.add(
    'system_in_message',
    'system',
    'the format has no place for it: it leads the current message',
  )
  const prompt = `<system_prompt>\n${system}\n</system_prompt>`
  return userMessage({ ...turn, text: joined([prompt, turn.text]) })
}

function contextOf(
  { results }: UserTurn,
  tools: readonly QTool[],
): Pick<QUserMessage, 'userInputMessageContext'> {
  if (results.length === 0 && tools.length === 0) return {}
  return {
    userInputMessageContext: {
      ...(results.length > 0 && { toolResults: results }),
      ...(tools.length > 0 && { tools }),
    },
  }
}
