import type { HubClientTool } from '../../hub/request.ts'
import type { JsonObject } from '../../json/json-object.ts'

const text = (description: string): JsonObject => ({ type: 'string', description })
const integer = (description: string): JsonObject => ({ type: 'integer', description })

/** Tools that OpenAI's models know without a description, spelled out for all others. */
export const BUILT_IN_FUNCTIONS: Readonly<
  Record<'local_shell' | 'shell' | 'apply_patch', Omit<HubClientTool, 'name'>>
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
