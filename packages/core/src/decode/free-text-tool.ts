import type { Notes } from '../hub/note.ts'
import type { HubClientTool } from '../hub/request.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'

/** The one property of a function which replaces a tool that takes plain text. */
export const FREE_TEXT_INPUT = 'input'

/** Where a tool is in the request. */
interface ToolPlace {
  readonly path: string
  readonly notes: Notes
}

/** One of OpenAI's tools that take plain text as a function with one string; a grammar is for the model to read. */
export function freeTextTool(
  name: string,
  { description, format }: JsonObject,
  { path, notes }: ToolPlace,
): HubClientTool {
  const grammar = grammarOf(format)
  if (grammar !== undefined)
    notes.add('grammar_as_words', `${path}.format`, 'the model reads the grammar, but is not held to it')
  const paragraphs = [description, grammar].filter(
    (text): text is string => typeof text === 'string' && text !== '',
  )
  return {
    name,
    ...(paragraphs.length > 0 && { description: paragraphs.join('\n\n') }),
    input_schema: {
      type: 'object',
      properties: {
        [FREE_TEXT_INPUT]: { type: 'string', description: 'The whole input of the tool, as plain text.' },
      },
      required: [FREE_TEXT_INPUT],
      additionalProperties: false,
    },
  }
}

/** Chat puts a grammar one level deeper than Responses. */
function grammarOf(format: unknown): string | undefined {
  if (!isJsonObject(format) || format['type'] !== 'grammar') return undefined
  const { syntax, definition } = isJsonObject(format['grammar']) ? format['grammar'] : format
  if (typeof definition !== 'string') return undefined
  return `The input must follow this ${typeof syntax === 'string' ? `${syntax} ` : ''}grammar:\n${definition}`
}
