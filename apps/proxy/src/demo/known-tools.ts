import type { DemoTool } from './demo-steps.ts'
import { sampleInput, type SampleSchema } from './sample-input.ts'

/** A kind of tool that agents bring, whatever they call it and its fields. */
interface KnownTool {
  readonly names: RegExp
  /** The words in a prompt that ask for it. */
  readonly words: RegExp
  /** The fields that carry what it is asked for, the first of them where the schema has none. */
  readonly fields: readonly string[]
  readonly value: string
  readonly description: string
}

const KNOWN_TOOLS: readonly KnownTool[] = [
  {
    names: /^(?:bash|shell|exec_command|(?:run_|local_)?shell(?:_command)?|run_command|execute_command)$/i,
    words: /\b(?:run|bash|shell|command|list|ls)\b/i,
    fields: ['command', 'cmd'],
    value: 'ls',
    description: 'List files',
  },
  {
    names: /^(?:read|read_file|view)$/i,
    words: /\bread\b/i,
    fields: ['file_path', 'filePath', 'absolute_path', 'path'],
    value: 'README.md',
    description: 'Read a file',
  },
]

/** The call of a tool of a known kind that a prompt speaks of, if one is offered. */
export function knownCall(
  prompt: string,
  tools: readonly DemoTool[],
): { name: string; input: object } | undefined {
  for (const known of KNOWN_TOOLS) {
    const tool = tools.find((offered) => known.names.test(offered.function.name))?.function
    if (tool !== undefined && known.words.test(prompt)) {
      return { name: tool.name, input: inputFor(known, tool.parameters) }
    }
  }
  return undefined
}

function inputFor({ fields, value, description }: KnownTool, schema: SampleSchema = {}): object {
  const { properties = {} } = schema
  const field = fields.find((name) => name in properties) ?? fields[0] ?? ''
  return {
    ...sampleInput(schema),
    [field]: properties[field]?.type === 'array' ? [value] : value,
    ...('description' in properties && { description }),
  }
}
