import { isObject, type JsonObject, type Report } from './problems.ts'
import { validateMessages } from './validate-messages.ts'
import { validateTools } from './validate-tools.ts'

/** The fields that OpenAI's endpoint knows; it refuses all others. */
const FIELDS: ReadonlySet<string> = new Set([
  'audio',
  'frequency_penalty',
  'logit_bias',
  'logprobs',
  'max_completion_tokens',
  'max_tokens',
  'messages',
  'metadata',
  'modalities',
  'model',
  'n',
  'parallel_tool_calls',
  'prediction',
  'presence_penalty',
  'prompt_cache_key',
  'prompt_cache_retention',
  'reasoning_effort',
  'response_format',
  'safety_identifier',
  'seed',
  'service_tier',
  'stop',
  'store',
  'stream',
  'stream_options',
  'temperature',
  'tool_choice',
  'tools',
  'top_logprobs',
  'top_p',
  'user',
  'verbosity',
  'web_search_options',
])

/** What a strict provider would refuse about a request, as messages; none means that it is legal. */
export function validateChatRequest(request: unknown): string[] {
  if (!isObject(request)) return ['the body is not a JSON object']
  const problems: string[] = []
  const report: Report = (problem) => void problems.push(problem)
  for (const name of Object.keys(request)) if (!FIELDS.has(name)) report(`unknown field '${name}'`)
  validateParameters(request, report)
  validateTools(request, report)
  validateMessages(request['messages'], report)
  return problems
}

function validateParameters(request: JsonObject, report: Report): void {
  const { model, stream, stop, metadata } = request
  if (typeof model !== 'string' || model === '') report('model: expected a name')
  if (stream !== undefined && typeof stream !== 'boolean') report('stream: expected a boolean')
  if (request['stream_options'] !== undefined && stream !== true) report('stream_options: only with stream')
  validateTokenLimits(request, report)
  if (Array.isArray(stop) && (stop.length === 0 || stop.length > 4)) report('stop: expected 1 to 4 entries')
  if (metadata !== undefined) validateMetadata(metadata, report)
  validateLength(request['user'], { name: 'user', most: 512 }, report)
  validateLength(request['safety_identifier'], { name: 'safety_identifier', most: 128 }, report)
}

function validateTokenLimits(request: JsonObject, report: Report): void {
  const { max_tokens: older, max_completion_tokens: newer } = request
  if (older !== undefined && newer !== undefined)
    report('max_tokens and max_completion_tokens exclude each other')
  for (const limit of [older, newer]) {
    if (limit !== undefined && !(Number.isInteger(limit) && Number(limit) > 0))
      report('max_tokens: expected > 0')
  }
}

function validateMetadata(metadata: unknown, report: Report): void {
  const entries = isObject(metadata) ? Object.entries(metadata) : []
  if (entries.length > 16) report('metadata: more than 16 pairs')
  for (const [name, value] of entries) {
    const isFine = name.length <= 64 && typeof value === 'string' && value.length <= 512
    if (!isFine) report(`metadata.${name}: expected a text of at most 512 characters`)
  }
}

function validateLength(
  value: unknown,
  { name, most }: { name: string; most: number },
  report: Report,
): void {
  if (value === undefined) return
  if (typeof value !== 'string' || value.length > most) report(`${name}: expected at most ${most} characters`)
}
