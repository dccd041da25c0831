import type { HubRequest } from '@hydra/core'
import { withoutReminders } from '@hydra/tape'

const MAX_WORDS = 70

type Message = HubRequest['messages'][number]
type Block = Extract<NonNullable<Message['content']>, readonly unknown[]>[number]

/** What each message is about, in a few words: the tools that it calls or has results of, else how it begins. */
export function aboutMessages(messages: readonly Message[]): string[] {
  const tools = new Map<string, string>()
  return messages.map(({ content = '' }) => {
    if (typeof content === 'string') return firstWords(content)
    const words = content.map((block) => aboutBlock(block, tools)).filter((word) => word !== '')
    return firstWords([...new Set(words)].join(', '))
  })
}

/** The first words of a text, in one line; reminders of the client's say nothing about it. */
export function firstWords(text: string): string {
  const start = text.slice(0, MAX_WORDS * 10)
  const line = (withoutReminders(start).trim() || start).replaceAll(/\s+/g, ' ').trim()
  return line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS).toWellFormed()}…` : line
}

function aboutBlock(block: Block, tools: Map<string, string>): string {
  if (block.type === 'text') return withoutReminders(block.text.slice(0, MAX_WORDS * 10)).trim()
  if (block.type === 'tool_use') {
    tools.set(block.id, block.name)
    return `calls ${block.name}`
  }
  if (block.type === 'tool_result') return `result of ${tools.get(block.tool_use_id) ?? 'a tool'}`
  return block.type.replaceAll('_', ' ')
}
