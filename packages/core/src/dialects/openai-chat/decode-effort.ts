import type { HubRequest } from '../../hub/request.ts'
import { expectObject, expectOptional, unexpected, unexpectedValue } from '../../json/expect.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'

/** How hard the model shall think, in the hub's fields. */
interface DecodedEffort {
  readonly config: Pick<NonNullable<HubRequest['output_config']>, 'effort'>
  readonly thinking?: HubRequest['thinking']
}

type Effort = NonNullable<DecodedEffort['config']['effort']>

const EFFORTS: ReadonlySet<unknown> = new Set(['minimal', 'low', 'medium', 'high', 'xhigh', 'max'])
const OFF: DecodedEffort = { config: {}, thinking: { type: 'disabled' } }
const ON: DecodedEffort = { config: {}, thinking: { type: 'adaptive' } }

/**
 * Decodes `reasoning_effort`, and the ways in which clients of compatible servers say the same: OpenRouter's
 * `reasoning`, the `thinking` of DeepSeek and others, Qwen's `enable_thinking`.
 */
export function decodeEffort(body: JsonObject): DecodedEffort {
  const { reasoning_effort: effort, reasoning, thinking, enable_thinking: isEnabled } = body
  if (isPresent(effort)) return effortOf(effort, 'reasoning_effort')
  if (isPresent(reasoning)) return decodeReasoning(expectObject(reasoning, 'reasoning'))
  if (isPresent(thinking)) return decodeThinkingField(expectObject(thinking, 'thinking'))
  expectOptional(body, 'enable_thinking', { type: 'boolean', path: '' })
  if (!isPresent(isEnabled)) return { config: {} }
  return isEnabled === true ? ON : OFF
}

function effortOf(effort: unknown, path: string): DecodedEffort {
  if (effort === 'none') return OFF
  if (typeof effort !== 'string') throw unexpected(path, 'string', effort)
  if (!EFFORTS.has(effort)) {
    throw unexpectedValue(path, 'one of none, minimal, low, medium, high, xhigh, max', effort)
  }
  // OpenAI knows one more level than Anthropic; whoever asks Anthropic says it in Anthropic's words.
  return { ...ON, config: { effort: effort as Effort } }
}

function decodeReasoning(reasoning: JsonObject): DecodedEffort {
  const { effort, max_tokens: budget, enabled } = reasoning
  if (isPresent(effort)) return effortOf(effort, 'reasoning.effort')
  if (isPresent(budget)) return budgetOf(budget, 'reasoning.max_tokens')
  return enabled === false ? OFF : ON
}

function decodeThinkingField(thinking: JsonObject): DecodedEffort {
  const { type, budget_tokens: budget } = thinking
  if (type === 'disabled') return OFF
  return isPresent(budget) ? budgetOf(budget, 'thinking.budget_tokens') : ON
}

function budgetOf(budget: unknown, path: string): DecodedEffort {
  if (typeof budget !== 'number' || !Number.isInteger(budget) || budget < 0) {
    throw unexpectedValue(path, 'integer of at least 0', budget)
  }
  return budget === 0 ? OFF : { config: {}, thinking: { type: 'enabled', budget_tokens: budget } }
}

/** Whether the client asks in OpenRouter's way: it then also takes `reasoning_details`, and gives them back. */
export function takesDetails(body: JsonObject): boolean {
  return isJsonObject(body['reasoning']) || body['include_reasoning'] === true
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}
