import { isJsonObject } from '@hydra/core'
import { shortened } from '@hydra/cli'
import { parseText } from '../summary/json-text.ts'
import { chatWords } from './event-words/chat-words.ts'
import type { Fields } from './event-words/event-fields.ts'
import { geminiWords } from './event-words/gemini-words.ts'
import { messagesWords } from './event-words/messages-words.ts'
import { responsesWords } from './event-words/responses-words.ts'

const MAX_HINT_LENGTH = 160

/** Each knows the events of one protocol by their form: pages also show tapes that do not say which it was. */
const READERS: readonly ((event: Fields) => string | undefined)[] = [
  chatWords,
  geminiWords,
  responsesWords,
  messagesWords,
]

/** What an event says, in a few words: its text, its tool, its reason to stop; else its beginning. */
export function hintOf(data: string): string {
  return shortened((wordsOf(parseText(data)) ?? data).replaceAll(/\s+/g, ' '), MAX_HINT_LENGTH)
}

function wordsOf(event: unknown): string | undefined {
  if (!isJsonObject(event)) return undefined
  for (const read of READERS) {
    const words = read(event)
    if (words !== undefined) return words
  }
  return undefined
}
