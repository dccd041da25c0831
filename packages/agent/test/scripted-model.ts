import {
  type HubContentBlock,
  type HubRequest,
  type HubResponse,
  type HubStopReason,
  usageOf,
} from '@hydra/core'
import { blankMessage } from '../../core/src/hub/blank.ts'
import type { AgentTool, SendTurn } from '../src/agent.ts'

/** A model that gives these answers in turn, and all requests that it was sent. */
export interface ScriptedModel {
  readonly send: SendTurn
  readonly requests: HubRequest[]
}

/** A model that says what it is told; after the last answer it says nothing more. */
export function scriptedModel(...answers: readonly (HubResponse | SendTurn)[]): ScriptedModel {
  const requests: HubRequest[] = []
  return {
    requests,
    async send(request, turn) {
      requests.push(structuredClone(request))
      const next = answers[requests.length - 1] ?? says('Done.')
      return typeof next === 'function' ? next(request, turn) : next
    },
  }
}

/** A whole answer; it cost 10 tokens to ask and 5 to answer. */
export function answer(content: readonly object[], reason: HubStopReason = 'end_turn'): HubResponse {
  const head = { id: 'msg_1', model: 'm', usage: usageOf({ input_tokens: 10, output_tokens: 5 }) }
  return { ...blankMessage(head), content: content as HubContentBlock[], stop_reason: reason }
}

/** An answer of words alone. */
export function says(words: string): HubResponse {
  return answer([text(words)])
}

/** An answer of calls alone, or of words and calls. */
export function calls(...content: readonly object[]): HubResponse {
  return answer(content, 'tool_use')
}

/** A block of text. */
export function text(words: string): object {
  return { type: 'text', text: words, citations: null }
}

/** A block with a call. */
export function call(id: string, name: string, input: unknown = {}): object {
  return { type: 'tool_use', id, name, input, caller: { type: 'direct' } }
}

/** A tool that takes any object. */
export function tool(name: string, run: AgentTool['run'], rest: Partial<AgentTool> = {}): AgentTool {
  return { name, input_schema: { type: 'object' }, run, ...rest }
}
