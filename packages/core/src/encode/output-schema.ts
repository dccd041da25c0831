import { JSON_INSTRUCTION } from '../dialects/extras.ts'
import type { Notes } from '../hub/note.ts'
import { blocksOf, type HubRequest } from '../hub/request.ts'
import { isObjectSchema } from './schema.ts'

/** The JSON schema that an answer has to fit, if the client asks for one. */
export function outputSchema(request: HubRequest): Readonly<Record<string, unknown>> | undefined {
  return formatOf(request)?.schema
}

function formatOf({
  output_config: config,
  output_format: old,
}: HubRequest): NonNullable<HubRequest['output_format']> | undefined {
  return config?.format ?? old ?? undefined
}

/** Says that a format goes unheard because it is no JSON schema. */
export function noteOtherFormat(request: HubRequest, notes: Notes): void {
  if (formatOf(request)) notes.add('field_ignored', 'output_config.format', 'a format that is no JSON schema')
}

/** Notes that a schema is described in words. */
export function noteSchemaAsPrompt(notes: Notes): void {
  notes.add(
    'schema_as_prompt',
    'output_config.format',
    'the upstream takes no schema: it is in the system prompt',
  )
}

/** What the system prompt must say where the upstream cannot be given a schema. */
export function schemaInstruction(schema: Readonly<Record<string, unknown>>): string {
  const form = isObjectSchema(schema) ? 'one JSON object' : 'JSON'
  return `Answer with ${form} that fits this JSON schema, and with nothing else:\n${JSON.stringify(schema)}`
}

/** The word that OpenAI and others want to read in a request for some JSON object, and refuse it without. */
const JSON_WORD = /json/i

/**
 * What has to be said where the answer shall be some JSON object, '' where the request says it. Only its beginning
 * counts: a later turn with the word in it would change what is said before all turns.
 */
export function jsonInstruction(
  { system, messages }: Pick<HubRequest, 'system' | 'messages'>,
  notes: Notes,
): string {
  const prompt = typeof system === 'string' ? [system] : (system ?? []).map(({ text }) => text)
  const turn = messages.slice(0, 1).flatMap(blocksOf)
  const texts = [...prompt, ...turn.map((block) => (block.type === 'text' ? block.text : ''))]
  if (texts.some((text) => JSON_WORD.test(text))) return ''
  notes.add(
    'json_instruction_added',
    'json_object',
    'the upstream answers in JSON only where the prompt says so',
  )
  return JSON_INSTRUCTION
}

const MAX_NAME_LENGTH = 64

/** The name of the schema, as OpenAI's APIs take it. */
export function schemaName({ extras }: HubRequest): string {
  const name = (extras?.schema_name ?? '').replaceAll(/[^\w-]/g, '_').slice(0, MAX_NAME_LENGTH)
  return name === '' ? 'output' : name
}
