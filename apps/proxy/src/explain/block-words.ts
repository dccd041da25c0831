import { isJsonObject } from '@hydra/core'
import type { HubBlock } from '@hydra/core'
import { plainText } from '../log/plain-text.ts'
import { type PlainObject } from './json-leaves.ts'

/** How much of a text is shown. */
const SHOWN = 40

/** How long an id may be to be shown whole, and how much of its end is shown else. */
const SHORT_ID = 12
const ID_END = 6

type Words = (block: PlainObject) => string

const WORDS: ReadonlyMap<string, Words> = new Map<string, Words>([
  ['text', ({ text }) => quoted(stringOf(text))],
  ['thinking', ({ thinking }) => quoted(stringOf(thinking))],
  ['tool_use', callWords],
  ['server_tool_use', callWords],
  ['mcp_tool_use', callWords],
  ['tool_result', resultWords],
  ['image', sourceWords],
  ['document', sourceWords],
])

/** What a block says, in a few words that are safe to print. */
export function blockWords(block: HubBlock): string {
  return WORDS.get(block.type)?.({ ...block }) ?? ''
}

/** Whether a block says nothing at all. */
export function isBlank(block: HubBlock): boolean {
  if (block.type === 'text') return block.text.trim() === ''
  return block.type === 'thinking' && block.thinking.trim() === ''
}

/** An id, or enough of its end to know it by. */
export function shortId(id: string): string {
  const plain = plainText(id)
  return plain.length > SHORT_ID ? `…${plain.slice(-ID_END)}` : plain
}

function callWords({ id, name, input }: PlainObject): string {
  return `${shortId(stringOf(id))} ${shortened(stringOf(name))} ${shortened(JSON.stringify(input ?? {}))}`
}

function resultWords({ tool_use_id: id, is_error: isError, content }: PlainObject): string {
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : [{ type: 'text', text: content }]
  const words = parts.map((part) =>
    part['type'] === 'text' ? stringOf(part['text']) : `[${stringOf(part['type'])}]`,
  )
  return `of ${shortId(stringOf(id))}${isError === true ? ' (an error)' : ''} ${quoted(words.join(' '))}`
}

function sourceWords({ source }: PlainObject): string {
  return isJsonObject(source) ? shortened(stringOf(source['media_type'] ?? source['type'])) : ''
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function quoted(text: string): string {
  return `"${shortened(text)}"`
}

function shortened(text: string): string {
  const characters = Array.from(plainText(text))
  return characters.length > SHOWN ? `${characters.slice(0, SHOWN).join('')}…` : characters.join('')
}
