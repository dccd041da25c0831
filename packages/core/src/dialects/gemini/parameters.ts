import { stopSequences } from '../../encode/encoding.ts'
import {
  noteOtherFormat,
  noteSchemaAsPrompt,
  outputSchema,
  schemaInstruction,
} from '../../encode/output-schema.ts'
import { noteStopMatchedHere, outputLimit } from '../../encode/parameters.ts'
import type { HubExtras, HubRequest } from '../../hub/request.ts'
import { noteAnthropicOnly } from '../anthropic-only.ts'
import { noteExtras } from '../extras.ts'
import { encodeEffort } from './effort.ts'
import type { Encoding } from './encoding.ts'
import { encodeOutputSchema } from './schema.ts'
import { offersFunctions } from './tools.ts'

/** Extras that Gemini knows, under its own names. */
const EXTRAS = {
  seed: 'seed',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
} as const

/** Extras that another field has taken account of. */
const USED_EXTRAS: ReadonlySet<keyof HubExtras> = new Set([
  'json_object',
  'schema_name',
  'schema_strict',
  'reasoning_summary',
  'optional_tools',
  'seed',
  'presence_penalty',
  'frequency_penalty',
])

const SAMPLING = { temperature: 'temperature', top_p: 'topP', top_k: 'topK' } as const

/** The `generationConfig` of a request, with notes on what has no place in it. */
export function encodeParameters(request: HubRequest, encoding: Encoding): Record<string, unknown> {
  noteAnthropicOnly(request, encoding.notes)
  noteExtras(request, USED_EXTRAS, encoding.notes)
  noteUser(request, encoding)
  const config = {
    ...tokenLimit(request, encoding),
    ...sampling(request, encoding),
    ...stop(request, encoding),
    ...responseFormat(request, encoding),
    ...encodeEffort(request, encoding),
  }
  return Object.keys(config).length === 0 ? {} : { generationConfig: config }
}

/** The stop sequences that the upstream does not take, to be matched in its answer. */
export function ownStopSequences(request: HubRequest, { profile }: Encoding): readonly string[] {
  const sequences = stopSequences(request)
  return sequences.length > profile.maxStopSequences ? sequences : []
}

/** What the system prompt must say where the upstream cannot be given a schema. */
export function promptedSchema(request: HubRequest, encoding: Encoding): string {
  const schema = outputSchema(request)
  return schema === undefined || takesSchema(encoding) ? '' : schemaInstruction(schema)
}

function takesSchema(encoding: Encoding): boolean {
  return encoding.profile.schemaWithTools || !offersFunctions(encoding)
}

function tokenLimit(request: HubRequest, { profile, notes }: Encoding): Record<string, unknown> {
  const limit = outputLimit(request, { min: 1, max: profile.maxOutputTokens }, notes)
  return limit === undefined ? {} : { maxOutputTokens: limit }
}

function sampling(request: HubRequest, { profile, notes }: Encoding): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  const wishes = [
    ...Object.entries(SAMPLING).map(
      ([field, wire]) => [field, wire, request[field as keyof HubRequest]] as const,
    ),
    ...Object.entries(EXTRAS).map(
      ([field, wire]) => [field, wire, request.extras?.[field as keyof HubExtras]] as const,
    ),
  ]
  for (const [path, wire, value] of wishes) {
    // Anthropic's word for no limit is none of Gemini's, and without one there is none.
    if (value === undefined || value === null || (wire === 'topK' && value === -1)) continue
    if (profile.takesSampling) fields[wire] = value
    else notes.add('sampling_dropped', path, 'the model does not take this field any more')
  }
  return fields
}

function stop(request: HubRequest, encoding: Encoding): Record<string, unknown> {
  const sequences = stopSequences(request)
  const isHere = noteStopMatchedHere(request, encoding.profile.maxStopSequences, encoding)
  return isHere || sequences.length === 0 ? {} : { stopSequences: sequences }
}

function responseFormat(request: HubRequest, encoding: Encoding): Record<string, unknown> {
  const { notes } = encoding
  const schema = outputSchema(request)
  if (schema === undefined) {
    noteOtherFormat(request, notes)
    const isJson = request.extras?.json_object === true && takesSchema(encoding)
    if (request.extras?.json_object === true && !isJson)
      notes.add('field_ignored', 'json_object', 'the model takes no JSON mode together with functions')
    return isJson ? { responseMimeType: 'application/json' } : {}
  }
  if (!takesSchema(encoding)) {
    noteSchemaAsPrompt(notes)
    return {}
  }
  const responseJsonSchema = encodeOutputSchema(schema, { path: 'output_config.format.schema', notes })
  return { responseMimeType: 'application/json', responseJsonSchema }
}

function noteUser({ metadata }: HubRequest, { notes }: Encoding): void {
  if (metadata?.user_id)
    notes.addOnce('user_id_dropped', 'metadata.user_id', 'the upstream has no equivalent')
}
