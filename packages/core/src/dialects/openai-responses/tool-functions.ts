import type { HubTool } from '../../hub/request.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'

/** A function as the hub offers it. */
type FunctionTool = Extract<HubTool, { input_schema: unknown }>

/** The one property of a function that stands for a tool that takes plain text. */
export const CUSTOM_INPUT = 'input'

/** A tool that takes plain text as a function with one string; a grammar is for the model to read. */
export function customFunction(name: string, { description, format }: JsonObject): FunctionTool {
  const paragraphs = [description, grammarOf(format)].filter(
    (text): text is string => typeof text === 'string' && text !== '',
  )
  return {
    name,
    ...(paragraphs.length > 0 && { description: paragraphs.join('\n\n') }),
    input_schema: {
      type: 'object',
      properties: {
        [CUSTOM_INPUT]: { type: 'string', description: 'The whole input of the tool, as plain text.' },
      },
      required: [CUSTOM_INPUT],
      additionalProperties: false,
    },
  }
}

function grammarOf(format: unknown): string | undefined {
  if (!isJsonObject(format) || format.type !== 'grammar') return undefined
  const { syntax, definition } = format
  if (typeof definition !== 'string') return undefined
  return `The input must match this grammar${typeof syntax === 'string' ? ` (${syntax})` : ''}:\n${definition}`
}

const text = (description: string): JsonObject => ({ type: 'string', description })
const integer = (description: string): JsonObject => ({ type: 'integer', description })

/** Tools that OpenAI's models know without a description, spelled out for all others. */
export const BUILT_IN_FUNCTIONS: Readonly<
  Record<'local_shell' | 'shell' | 'apply_patch', Omit<FunctionTool, 'name'>>
> = {
  local_shell: {
    description: 'Runs a command on the local machine and returns its output.',
    input_schema: {
      type: 'object',
      properties: {
        command: { type: 'array', items: { type: 'string' }, description: 'The program and its arguments.' },
        env: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'Environment variables for the command.',
        },
        timeout_ms: integer('The time limit in milliseconds.'),
        user: text('The user to run the command as.'),
        working_directory: text('The directory to run the command in.'),
      },
      required: ['command'],
    },
  },
  shell: {
    description: 'Runs commands in a shell on the local machine and returns their output.',
    input_schema: {
      type: 'object',
      properties: {
        commands: { type: 'array', items: { type: 'string' }, description: 'The commands, run in order.' },
        timeout_ms: integer('The time limit in milliseconds.'),
        max_output_length: integer('How many characters of the output are wanted at most.'),
      },
      required: ['commands'],
    },
  },
  apply_patch: {
    description: 'Creates, updates or deletes one file.',
    input_schema: {
      type: 'object',
      properties: {
        type: {
          type: 'string',
          enum: ['create_file', 'update_file', 'delete_file'],
          description: 'What to do with the file.',
        },
        path: text('The path of the file, relative to the workspace.'),
        diff: text('The change in the V4A diff format; not for delete_file.'),
      },
      required: ['type', 'path'],
    },
  },
}
