import { isJsonObject } from '@hydra/core'
import { textOf } from '@hydra/inspector/summary'

type Fields = Readonly<Record<string, unknown>>

/** A Chat Completions body, and the fields of the response that have no place in one. */
export interface Completion {
  readonly body: Fields
  readonly left: readonly string[]
}

const CARRIED = new Set([
  'content',
  'toolCalls',
  'blocks',
  'reasoning',
  'id',
  'created',
  'model',
  'usage',
  'systemFingerprint',
  'finishReason',
  'role',
])

/** The chat answer that a response of a fixture describes; undefined if it describes none. */
export function completionOf(response: Fields): Completion | undefined {
  const blocks = listOf(response['blocks'])
  const calls = [...listOf(response['toolCalls']), ...blocks.filter(({ type }) => type === 'toolCall')]
  const text = contentOf(response['content']) ?? textOfBlocks(blocks)
  if (text === undefined && calls.length === 0) return undefined
  const { reasoning, finishReason, role } = response
  const message = {
    role: role ?? 'assistant',
    content: text ?? null,
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls.map(callOf) }),
  }
  // Where a fixture does not say why the answer ends, aimock itself answers with these two.
  const finish = finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop')
  const body = {
    ...named(response),
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: finish }],
  }
  const order = blocks.length > 1 ? ['the order of blocks'] : []
  return { body, left: [...Object.keys(response).filter((key) => !CARRIED.has(key)), ...order] }
}

function named({ id, created, model, usage, systemFingerprint }: Fields): Fields {
  return Object.fromEntries(
    Object.entries({ id, created, model, usage, system_fingerprint: systemFingerprint }).filter(
      ([, value]) => value !== undefined,
    ),
  )
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** Fixtures may hold objects where the wire has JSON in a string. */
function contentOf(content: unknown): string | undefined {
  if (content === undefined || content === null) return undefined
  return textOf(content) ?? JSON.stringify(content)
}

function textOfBlocks(blocks: readonly Fields[]): string | undefined {
  const texts = blocks.flatMap(({ type, text }) =>
    type === 'text' && typeof text === 'string' ? [text] : [],
  )
  return texts.length === 0 ? undefined : texts.join('')
}

function callOf({ id, name, arguments: given }: Fields): Fields {
  return {
    ...(id !== undefined && { id }),
    type: 'function',
    function: { name, arguments: contentOf(given) ?? '' },
  }
}
