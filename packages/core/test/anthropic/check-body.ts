import { openEnvelope } from '../../src/identity/envelope.ts'
import { isJsonObject, type JsonObject } from '../../src/json/json-object.ts'

const MAX_MARKS = 4
const MIN_BUDGET = 1024
const NAME = /^[a-zA-Z0-9_-]{1,128}$/
const ID = /^[a-zA-Z0-9_-]+$/

/** The generation of a Claude model, as a number: 3.5, 4, 4.6, 5.5. */
export function generationOf(model: string): number {
  const [, major = '0', minor = '0'] = /-(\d)(?:-(\d)(?!\d))?(?:-|$)/.exec(model) ?? []
  return Number(`${major}.${minor}`)
}

/** What Anthropic would refuse in a request, read as an unforgiving server does. */
export function anthropicFaults(body: JsonObject): string[] {
  const messages = body['messages'] as readonly JsonObject[]
  const facts = factsOf(body)
  return [
    ...Object.keys(REFUSALS).filter((refusal) => REFUSALS[refusal]?.(facts)),
    ...toolFaults(body),
    ...markFaults(body),
    ...systemFaults(body),
    ...messageFaults(messages),
  ]
}

interface Facts {
  readonly model: string
  readonly generation: number
  /** It cannot be kept from thinking. */
  readonly isAlways: boolean
  readonly body: JsonObject
  readonly form: unknown
  readonly budget: unknown
  readonly effort: unknown
  readonly choice: unknown
}

function factsOf(body: JsonObject): Facts {
  const model = String(body['model'])
  const { type: form, budget_tokens: budget } = objectAt(body, 'thinking')
  return {
    model,
    generation: generationOf(model),
    isAlways: /fable|opus-5-5/.test(model),
    body,
    form,
    budget,
    effort: objectAt(body, 'output_config')['effort'],
    choice: objectAt(body, 'tool_choice')['type'],
  }
}

function objectAt(body: JsonObject, key: string): JsonObject {
  const value = body[key]
  return isJsonObject(value) ? value : {}
}

const thinks = ({ form }: Facts): boolean => form !== undefined && form !== 'disabled'
const isSet = (value: unknown): boolean => value !== undefined

/** What a request is refused for, by what is said then. */
const REFUSALS: Readonly<Record<string, (facts: Facts) => boolean>> = {
  'max_tokens: required': ({ body }) => !Number.isInteger(body['max_tokens']),
  'thinking: not supported': (facts) => thinks(facts) && facts.generation < 3.7,
  'thinking: adaptive is not supported': ({ form, generation }) => form === 'adaptive' && generation < 4.6,
  'thinking: enabled is not supported': ({ form, generation }) => form === 'enabled' && generation > 4.6,
  'thinking: the budget': ({ form, budget, body }) =>
    form === 'enabled' && !(Number(budget) >= MIN_BUDGET && Number(budget) < Number(body['max_tokens'])),
  'thinking: this model always thinks': ({ form, isAlways }) => form === 'disabled' && isAlways,
  'thinking: not while a call is forced': (facts) =>
    thinks(facts) && !facts.isAlways && (facts.choice === 'any' || facts.choice === 'tool'),
  'thinking: expected first': ({ form, body }) =>
    form === 'enabled' && !beginsWithThinking(body['messages'] as JsonObject[]),
  'effort: not supported': ({ effort, generation, model }) =>
    isSet(effort) && (generation < 4.5 || /(sonnet|haiku)-4-5/.test(model)),
  'effort: minimal is not known': ({ effort }) => effort === 'minimal',
  'temperature: above 1': ({ body }) => Number(body['temperature'] ?? 0) > 1,
  'temperature: only 1': ({ body, generation, form }) =>
    (body['temperature'] ?? 1) !== 1 && (generation > 4.6 || form === 'enabled'),
  'top_k: refused': ({ body, generation, form }) =>
    isSet(body['top_k']) && (generation > 4.6 || form === 'enabled'),
  'top_p: refused': ({ body, generation }) => isSet(body['top_p']) && generation > 4.6,
  'top_p: not both': ({ body, generation }) =>
    isSet(body['top_p']) && isSet(body['temperature']) && [4.1, 4.5, 4.6].includes(generation),
}

/** Whether the turn whose results are the last word began with thinking. */
function beginsWithThinking(messages: readonly JsonObject[]): boolean {
  const spoken = messages.filter(({ role }) => role !== 'system')
  const turn = spoken.findLastIndex(({ role }) => role === 'assistant')
  const rest = spoken.slice(turn + 1).flatMap(({ content }) => blocks(content))
  const isLoop = rest.some(({ type }) => type === 'tool_result') && spoken.length === turn + 2
  const first = blocks(spoken[turn]?.['content'])[0]?.['type']
  return !isLoop || first === 'thinking' || first === 'redacted_thinking'
}

function toolFaults({ tools, tool_choice: choice }: JsonObject): string[] {
  const definitions = (tools ?? []) as readonly JsonObject[]
  const names = definitions.map(({ name }) => name)
  return list([
    choice !== undefined && definitions.length === 0 && 'tool_choice: without tools',
    new Set(names).size !== names.length && 'tools: names must be unique',
    ...definitions.map((tool) => isJsonObject(tool['input_schema']) && toolFault(tool, tool['input_schema'])),
  ])
}

function toolFault(tool: JsonObject, schema: JsonObject): string | false {
  if (!NAME.test(String(tool['name']))) return `tools: the name ${String(tool['name'])}`
  if (schema['type'] !== 'object') return 'tools: the schema of an object'
  return ['oneOf', 'anyOf', 'allOf'].some((key) => schema[key] !== undefined) && 'tools: a union at the top'
}

function markFaults({ tools, system, messages }: JsonObject): string[] {
  const marks = JSON.stringify([tools, system, messages]).split('"cache_control":{').length - 1
  return list([marks > MAX_MARKS && `cache_control: ${marks} marks`])
}

function systemFaults({ model, system, messages }: JsonObject): string[] {
  const takesMidway = generationOf(String(model)) >= 4.8
  const midway = (messages as JsonObject[]).some(({ role }) => role === 'system')
  return list([
    Array.isArray(system) && system.some((block: JsonObject) => isBlank(block)) && 'system: a blank block',
    !takesMidway && midway && 'messages: no role system on this model',
  ])
}

function messageFaults(messages: readonly JsonObject[]): string[] {
  const faults: string[] = []
  let open: string[] = []
  for (const [index, { role, content }] of messages.entries()) {
    if (role === 'system') continue
    const all = blocks(content)
    const found = [
      ...blockFaults(all),
      ...(role === 'user' ? resultFaults(all, open) : callFaults(all, open)),
    ]
    faults.push(...found.map((fault) => `messages[${index}]: ${fault}`))
    open = role === 'user' ? [] : callsIn(all)
  }
  if (open.length > 0) faults.push('the end: calls without results')
  return faults
}

function blockFaults(all: readonly JsonObject[]): string[] {
  return list([
    all.length === 0 && 'empty',
    all.some(isBlank) && 'a blank text',
    all.some(isUnsigned) && 'thinking without a signature',
  ])
}

function resultFaults(all: readonly JsonObject[], open: readonly string[]): string[] {
  const results = all
    .filter(({ type }) => type === 'tool_result')
    .map((block) => String(block['tool_use_id']))
  return list([
    results.toSorted().join() !== open.toSorted().join() && 'not the results that are due',
    all.slice(results.length).some(({ type }) => type === 'tool_result') && 'results come first',
  ])
}

function callFaults(all: readonly JsonObject[], open: readonly string[]): string[] {
  const ids = callsIn(all)
  const behind = ids.length === 0 ? [] : all.slice(all.findIndex(({ type }) => type === 'tool_use'))
  return list([
    open.length > 0 && 'calls without results',
    ids.some((id) => !ID.test(id)) && `the ids ${ids.join(' ')}`,
    behind.some(({ type }) => type === 'text') && 'text behind a call',
  ])
}

function callsIn(all: readonly JsonObject[]): string[] {
  return all.filter(({ type }) => type === 'tool_use').map((block) => String(block['id']))
}

function blocks(content: unknown): readonly JsonObject[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return Array.isArray(content) ? (content as JsonObject[]) : []
}

function isBlank({ type, text }: JsonObject): boolean {
  return type === 'text' && String(text).trim() === ''
}

function isUnsigned({ type, signature }: JsonObject): boolean {
  return (
    type === 'thinking' &&
    (typeof signature !== 'string' || signature === '' || openEnvelope(signature) !== undefined)
  )
}

function list(faults: readonly (string | false)[]): string[] {
  return faults.filter((fault) => fault !== false)
}
