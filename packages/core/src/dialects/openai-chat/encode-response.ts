import { unparsedText } from '../../clients/claude-code.ts'
import type { HubContentBlock, HubResponse } from '../../hub/message.ts'
import { stringInputOf } from '../../stream/string-input.ts'
import type { ChatReply } from './chat-reply.ts'
import { sealKept, ThinkingKeeper, thinkingText } from './kept-thinking.ts'
import { encodeFinishReason } from './stop-reason.ts'
import { encodeUsage } from './usage.ts'
import type { AnswerCall, AnswerMessage, ChatAnswer, ReasoningDetail } from './wire.ts'

type ToolUse = Extract<HubContentBlock, { type: 'tool_use' }>

/** A whole answer as the client reads it; what a stream of it would come to. */
export function encodeResponse(message: HubResponse, reply: ChatReply): ChatAnswer {
  const { content, stop_reason: reason } = message
  const uses = content.filter((block) => block.type === 'tool_use')
  const details = keepThinking(content, reply)
  noteBlocks(content, reply)
  const finish = encodeFinishReason(reason, uses.length)
  const [legacyUse] = reply.isLegacy ? uses : []
  const calls = uses.filter((use) => use !== legacyUse).map((use) => encodeCall(use, reply))
  const thinking = thinkingText(content)
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  const answer: AnswerMessage = {
    role: 'assistant',
    content: text === '' && uses.length > 0 ? null : text,
    refusal: null,
    ...(thinking !== '' && { reasoning_content: thinking }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(legacyUse && { function_call: { name: legacyUse.name, arguments: argumentsOf(legacyUse.input) } }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  const isLegacyEnd = finish === 'tool_calls' && legacyUse !== undefined
  return {
    id: message.id,
    object: 'chat.completion',
    created: reply.created,
    model: message.model,
    choices: [
      { index: 0, message: answer, logprobs: null, finish_reason: isLegacyEnd ? 'function_call' : finish },
    ],
    usage: encodeUsage(message.usage),
  }
}

const TOLD: ReadonlySet<string> = new Set(['text', 'thinking', 'redacted_thinking', 'tool_use'])

function noteBlocks(content: readonly HubContentBlock[], reply: ChatReply): void {
  for (const block of content) {
    if (!TOLD.has(block.type)) noteLeftOut(block.type, reply)
    if (block.type === 'text' && block.citations?.length) noteLeftOut('citations_delta', reply)
  }
}

/** Says that a part of the answer has no place in a Chat message: what Anthropic's servers did, citations. */
export function noteLeftOut(type: string, { answerNotes }: ChatReply): void {
  answerNotes.add('answer_part_left_out', type, 'a Chat message has no place for it')
}

function encodeCall({ id, name, input }: ToolUse, { customTools }: ChatReply): AnswerCall {
  if (customTools.has(name)) return { id, type: 'custom', custom: { name, input: stringInputOf(input) } }
  return { id, type: 'function', function: { name, arguments: argumentsOf(input) } }
}

/** The JSON of an input; one that the model left broken is passed on as it was written. */
function argumentsOf(input: unknown): string {
  return unparsedText(input) ?? JSON.stringify(input ?? {})
}

function keepThinking(content: readonly HubContentBlock[], reply: ChatReply): ReasoningDetail[] {
  if (reply.memory === undefined) return []
  const keeper = new ThinkingKeeper()
  const details: ReasoningDetail[] = []
  for (const block of content) {
    if (block.type === 'thinking' || block.type === 'redacted_thinking') keeper.thinking(block)
    else if (block.type === 'text') keeper.text()
    if (block.type !== 'tool_use') continue
    const kept = keeper.call(block.id)
    if (kept !== undefined && reply.takesDetails)
      details.push(reasoningDetail(block.id, kept, details.length))
  }
  keeper.keepIn(reply.memory, reply.conversation)
  return details
}

/** What was thought before a call, for a client that gives it back. */
export function reasoningDetail(
  id: string,
  kept: Parameters<typeof sealKept>[0],
  index: number,
): ReasoningDetail {
  return { type: 'reasoning.encrypted', id, data: sealKept(kept), format: 'hydra-v1', index }
}
