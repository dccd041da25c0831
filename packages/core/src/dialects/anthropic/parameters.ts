import { wellFormedValue } from '../../encode/well-formed-value.ts'
import { refersToItself } from '../../encode/local-reference.ts'
import { noteSchemaAsPrompt, schemaInstruction } from '../../encode/output-schema.ts'
import { encodeOutputSchema } from '../../encode/schema.ts'
import type { HubExtras, HubRequest } from '../../hub/request.ts'
import { knownDigest } from '../../identity/digest.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { JSON_INSTRUCTION, noteExtras } from '../extras.ts'
import type { Encoding } from './encoding.ts'
import { enforcedSchema } from './schema.ts'

/** What a client that leaves the limit to the model is given where the model's own is not known. */
const DEFAULT_MAX_TOKENS = 32_000

/** Below this, a model that thinks refuses `top_p`. */
const MIN_TOP_P = 0.95

/** Settings that are applied, or that make no difference: Anthropic keeps to every schema and caches by marks. */
const HEARD: ReadonlySet<keyof HubExtras> = new Set([
  'schema_name',
  'schema_strict',
  'json_object',
  'user',
  'prompt_cache_key',
  'reasoning_summary',
  'optional_tools',
])

/** How many tokens the answer may have: always said, because Anthropic asks for it. */
export function encodeMaxTokens({ max_tokens: wanted }: HubRequest, { profile, notes }: Encoding): number {
  const { maxOutputTokens: most } = profile
  if (wanted === undefined) return most ?? DEFAULT_MAX_TOKENS
  if (most === undefined || wanted <= most) return wanted
  notes.add('max_tokens_changed', 'max_tokens', `${wanted} became ${most}, which the model accepts`)
  return most
}

const SAMPLING = ['temperature', 'top_p', 'top_k'] as const

type SamplingField = (typeof SAMPLING)[number]
type Sampling = Partial<Record<SamplingField, number>>

/** The sampling fields that the model takes, beside thinking or without. */
export function encodeSampling(
  request: HubRequest,
  { thinking }: Pick<HubRequest, 'thinking'>,
  { profile, notes }: Encoding,
): Sampling {
  const taken: Sampling = {}
  const isThinking = thinking !== undefined && thinking.type !== 'disabled'
  const state = { allowed: profile.sampling, isThinking, taken }
  for (const field of SAMPLING) {
    const value = request[field]
    if (value === undefined) continue
    if (TAKEN[field](value, state)) taken[field] = field === 'temperature' ? cooled(value, notes) : value
    else notes.add('sampling_dropped', field, 'the model refuses this field')
  }
  return taken
}

interface SamplingState {
  readonly allowed: Encoding['profile']['sampling']
  readonly isThinking: boolean
  readonly taken: Sampling
}

/** Whether a value of each field is taken. */
const TAKEN: Readonly<Record<SamplingField, (value: number, state: SamplingState) => boolean>> = {
  temperature: (value, { allowed, isThinking }) => value === 1 || (allowed !== 'none' && !isThinking),
  top_p: (value, { allowed, isThinking, taken }) => {
    if (isThinking && value < MIN_TOP_P) return false
    return allowed === 'all' || (allowed === 'one' && taken.temperature === undefined)
  },
  top_k: (_value, { allowed, isThinking }) => allowed !== 'none' && !isThinking,
}

/** OpenAI's scale ends at 2. */
function cooled(temperature: number, notes: Encoding['notes']): number {
  if (temperature <= 1) return temperature
  notes.add('temperature_changed', 'temperature', `${temperature} became 1, the highest there is`)
  return 1
}

/** The stop sequences that Anthropic takes, and those that are matched in its answer. */
export function encodeStops(
  { stop_sequences: given = [] }: HubRequest,
  { notes }: Encoding,
): { readonly taken: string[]; readonly own: string[] } {
  // Half a character is in no answer.
  const sequences = given.filter((sequence) => sequence.isWellFormed())
  const taken = sequences.filter((sequence) => sequence.trim() !== '')
  const own = sequences.filter((sequence) => sequence.trim() === '' && sequence !== '')
  if (own.length > 0) {
    notes.add('stop_matched_here', 'stop_sequences', 'white space is matched in the answer instead')
  }
  return { taken, own }
}

/** Who asks: hashed, because what other clients send may name a person's account. */
export function encodeMetadata({ metadata, extras }: HubRequest): Pick<HubRequest, 'metadata'> {
  if (metadata !== undefined) return { metadata }
  return extras?.user === undefined ? {} : { metadata: { user_id: knownDigest(extras.user) } }
}

/** The system prompt, with what it must say where the model cannot be held to a form. */
export function encodeSystem(request: HubRequest, encoding: Encoding): Pick<HubRequest, 'system'> {
  const system = wellFormedValue(request.system, 'system', encoding)
  const instruction = formInstruction(request, encoding)
  const said = typeof system === 'string' ? [{ type: 'text' as const, text: system }] : (system ?? [])
  const hasBlank = said.some(({ text }) => text.trim() === '')
  if (instruction === undefined && !hasBlank) return system === undefined ? {} : { system }
  const blocks = said.filter(({ text }) => text.trim() !== '')
  if (instruction !== undefined) blocks.push({ type: 'text', text: instruction })
  return blocks.length === 0 ? {} : { system: blocks }
}

function formInstruction(request: HubRequest, { profile, notes }: Encoding): string | undefined {
  noteExtras(request, HEARD, notes)
  const schema = request.output_config?.format?.schema
  if (schema !== undefined && !isHeldTo(schema, profile)) {
    noteSchemaAsPrompt(notes)
    return schemaInstruction(schema)
  }
  return request.extras?.json_object === true && schema === undefined ? JSON_INSTRUCTION : undefined
}

/** Whether an answer can be held to a schema: one that leads back to itself is refused. */
function isHeldTo(schema: JsonObject, { takesSchemas }: Encoding['profile']): boolean {
  return takesSchemas && !refersToItself(schema)
}

/** What the answer's form shall be, as far as the model can be held to it. */
export function withLegalFormat(
  config: HubRequest['output_config'],
  { profile, notes }: Encoding,
): HubRequest['output_config'] {
  const schema = config?.format?.schema
  if (config === undefined || !config.format || schema === undefined) return config
  if (!isHeldTo(schema, profile)) {
    const { format: _format, ...rest } = config
    return Object.keys(rest).length === 0 ? undefined : rest
  }
  const path = 'output_config.format.schema'
  const clean = encodeOutputSchema(schema, { rule: profile.schema, path, notes })
  const closed = enforcedSchema(clean, { path, notes })
  return closed === schema
    ? config
    : { ...config, format: { ...config.format, schema: closed as JsonObject } }
}
