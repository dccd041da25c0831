import { isJsonObject, claudeCodeMarks } from '@hydra/core'

/** As the client writes them, and as a translation leaves them: on lines of their own. */
const BEGIN = `\n${claudeCodeMarks.reminderBegin}\n`
const END = `\n${claudeCodeMarks.reminderEnd}`

/** A text without the reminders that a client puts beside what a person typed. */
export function withoutReminders(text: string): string {
  // The first line begins like all others.
  const lines = `\n${text}`
  const kept: string[] = []
  let from = 0
  for (let begin = lines.indexOf(BEGIN); begin !== -1; begin = lines.indexOf(BEGIN, from)) {
    // A reminder without a line has one line feed for both of its ends.
    const end = lines.indexOf(END, begin + BEGIN.length - 1)
    if (end === -1) break
    kept.push(lines.slice(from, begin))
    from = end + END.length
  }
  if (from === 0) return text
  return [...kept, lines.slice(from)]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n')
}

/** A message with the texts of its user, but not the reminders in them. What a tool said is left as it is. */
export function messageWithoutReminders(message: unknown): unknown {
  if (!isJsonObject(message) || message['role'] !== 'user') return message
  const { content } = message
  if (typeof content === 'string') return { ...message, content: withoutReminders(content) }
  if (!Array.isArray(content)) return message
  return { ...message, content: content.map(blockWithoutReminders) }
}

/** A body whose messages have no reminders; everything else keeps its place. */
export function bodyWithoutReminders(body: unknown): unknown {
  if (!isJsonObject(body) || !Array.isArray(body['messages'])) return body
  return { ...body, messages: body['messages'].map(messageWithoutReminders) }
}

function blockWithoutReminders(block: unknown): unknown {
  if (!isJsonObject(block) || typeof block['text'] !== 'string') return block
  return { ...block, text: withoutReminders(block['text']) }
}
