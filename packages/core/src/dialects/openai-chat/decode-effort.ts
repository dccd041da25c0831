import { isPresent } from '../../json/present.ts'
import { expectEffort } from '../../decode/effort.ts'
import type { HubRequest } from '../../hub/request.ts'
import { expectObject, expectOptional, unexpectedValue } from '../../json/expect.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'

/** How hard the model shall think, in the hub's fields. */
interface DecodedEffort {
  readonly config: Pick<NonNullable<HubRequest['output_config']>, 'effort'>
  readonly thinking?: HubRequest['thinking']
}

const OFF: DecodedEffort = { config: {}, thinking: { type: 'disabled' } }
/** Clients of Chat show what the model thinks, and have no field to ask for it. */
const ON: DecodedEffort = { config: {}, thinking: { type: 'adaptive', display: 'summarized' } }

/**
 * Decodes `reasoning_effort`, and the ways in which clients of compatible servers say the same: OpenRouter's
 * `reasoning`, the `thinking` of DeepSeek and others, Qwen's `enable_thinking`.
 */
export function decodeEffort(body: JsonObject): DecodedEffort {
  const { reasoning_effort: effort, reasoning, thinking, enable_thinking: isEnabled } = body
  // Groq's word for what holds without a word.
  if (isPresent(effort) && effort !== 'default') return effortOf(effort, 'reasoning_effort')
  if (isPresent(reasoning)) return decodeReasoning(expectObject(reasoning, 'reasoning'))
  if (isPresent(thinking)) return decodeThinkingField(expectObject(thinking, 'thinking'))
  expectOptional(body, 'enable_thinking', { type: 'boolean', path: '' })
  if (!isPresent(isEnabled)) return { config: {} }
  return isEnabled === true ? ON : OFF
}

function effortOf(effort: unknown, path: string): DecodedEffort {
  const level = expectEffort(effort, path)
  return level === 'none' ? OFF : { ...ON, config: { effort: level } }
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
