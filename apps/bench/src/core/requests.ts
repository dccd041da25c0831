import { claudeCodeMarks } from '@hydra/core'
import { TextSource } from './text-source.ts'

/** How large a generated request is. */
export interface RequestSize {
  readonly tools: number
  /** About how many characters the system prompt has; none for 0. */
  readonly system: number
  readonly messages: number
  /** About how many characters a message has. */
  readonly message: number
}

/** The body of a request in the manner of Claude Code, as JSON. */
export function generatedRequest(size: RequestSize): string {
  const source = new TextSource()
  return JSON.stringify({
    model: 'claude-sonnet-4-5',
    max_tokens: 32_000,
    stream: true,
    ...(size.system > 0 ? { system: systemBlocks(size.system, source) } : {}),
    ...(size.tools > 0
      ? { tools: Array.from({ length: size.tools }, (_, index) => tool(index, source)) }
      : {}),
    metadata: { user_id: JSON.stringify({ device_id: 'a'.repeat(64), session_id: sessionId }) },
    messages: history(size, source),
  })
}

const sessionId = '0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9'
const cached = { cache_control: { type: 'ephemeral' } }

function systemBlocks(length: number, source: TextSource): object[] {
  return [
    { type: 'text', text: `${claudeCodeMarks.billingLine} version=2.1.0; entrypoint=cli;` },
    { type: 'text', text: 'You are a coding agent.', ...cached },
    { type: 'text', text: source.text(length), ...cached },
  ]
}

/** A long description and a handful of parameters, one of them a list of objects. */
function tool(index: number, source: TextSource): object {
  const properties: Record<string, object> = {
    edits: {
      type: 'array',
      description: source.text(60),
      items: {
        type: 'object',
        properties: { old_text: { type: 'string' }, new_text: { type: 'string' } },
        required: ['old_text', 'new_text'],
        additionalProperties: false,
      },
    },
    mode: { type: 'string', enum: ['content', 'files', 'count'], description: source.text(60) },
  }
  for (let field = 0; field < 4; field += 1) {
    properties[`parameter_${field}`] = { type: field % 2 ? 'number' : 'string', description: source.text(80) }
  }
  return {
    name: index % 4 === 0 ? `mcp__workspace__tool_${index}` : `Tool${index}`,
    description: source.text(1100),
    input_schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties,
      required: ['mode', 'parameter_0'],
      additionalProperties: false,
    },
  }
}

/** A request of the user, then calls and results by turns; the last message carries the cache mark. */
function history({ messages, message }: RequestSize, source: TextSource): object[] {
  const list: object[] = [{ role: 'user', content: [{ type: 'text', text: source.text(message) }] }]
  for (let turn = 1; turn < messages; turn += 1) {
    list.push(
      turn % 2 === 1 ? assistantTurn(turn, message, source) : userTurn(turn, messages, source.text(message)),
    )
  }
  return list
}

function assistantTurn(turn: number, length: number, source: TextSource): object {
  const input = { file_path: `/src/module-${turn}.ts`, offset: turn, old_text: source.text(length * 0.6) }
  return {
    role: 'assistant',
    content: [
      { type: 'text', text: source.text(length * 0.3) },
      { type: 'tool_use', id: callId(turn), name: `Tool${1 + (turn % 3)}`, input },
    ],
  }
}

function userTurn(turn: number, messages: number, text: string): object {
  const isLast = turn >= messages - 2
  const result = { type: 'tool_result', tool_use_id: callId(turn - 1), content: text }
  return { role: 'user', content: [isLast ? { ...result, ...cached } : result] }
}

function callId(turn: number): string {
  return `call_${String(turn).padStart(24, 'aBcDeFgHiJkLmNoPqRsTuVwX')}`
}
