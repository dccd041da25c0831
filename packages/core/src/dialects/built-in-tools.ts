import type { JsonObject } from '../json/json-object.ts'

/** A tool that the client runs, but whose description and schema only the model is supposed to know. */
interface BuiltInTool {
  /** What the type of such a tool begins with; a date follows. */
  readonly prefix: string
  readonly description: string
  readonly parameters: JsonObject
}

const text = (description: string): JsonObject => ({ type: 'string', description })

/** Anthropic's client tools with built-in schemas, spelled out for models that do not know them. */
const BUILT_IN_TOOLS: readonly BuiltInTool[] = [
  {
    prefix: 'bash_',
    description: 'Runs a command in a persistent bash session and returns its output.',
    parameters: {
      type: 'object',
      properties: {
        command: text('The command to run. Required unless the session is restarted.'),
        restart: { type: 'boolean', description: 'Restarts the session.' },
      },
    },
  },
  {
    prefix: 'text_editor_',
    description: 'Views, creates and edits text files.',
    parameters: {
      type: 'object',
      properties: {
        command: {
          type: 'string',
          enum: ['view', 'create', 'str_replace', 'insert', 'undo_edit'],
          description: 'What to do.',
        },
        path: text('The absolute path of the file or directory.'),
        file_text: text('The content of the file, for create.'),
        old_str: text('The text to replace, for str_replace: it must occur exactly once.'),
        new_str: text('The new text, for str_replace.'),
        insert_line: { type: 'integer', description: 'The line after which to insert, for insert.' },
        insert_text: text('The text to insert, for insert.'),
        view_range: {
          type: 'array',
          items: { type: 'integer' },
          description: 'The first and the last line to show, for view.',
        },
      },
      required: ['command', 'path'],
    },
  },
  {
    prefix: 'memory_',
    description: 'Keeps notes in files under /memories that outlast this conversation.',
    parameters: {
      type: 'object',
      properties: {
        command: {
          type: 'string',
          enum: ['view', 'create', 'str_replace', 'insert', 'delete', 'rename'],
          description: 'What to do.',
        },
        path: text('The path of the file or directory, under /memories.'),
        file_text: text('The content of the file, for create.'),
        old_str: text('The text to replace, for str_replace.'),
        new_str: text('The new text, for str_replace.'),
        insert_line: { type: 'integer', description: 'The line at which to insert, for insert.' },
        insert_text: text('The text to insert, for insert.'),
        old_path: text('The path to rename, for rename.'),
        new_path: text('The new path, for rename.'),
        view_range: {
          type: 'array',
          items: { type: 'integer' },
          description: 'The first and the last line to show, for view.',
        },
      },
      required: ['command'],
    },
  },
]

/** The definition behind a tool type such as `bash_20250124`, if it is one that clients run. */
export function builtInTool(type: string): BuiltInTool | undefined {
  return BUILT_IN_TOOLS.find((tool) => type.startsWith(tool.prefix) && /\d{8}$/.test(type))
}
