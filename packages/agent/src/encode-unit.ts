import { type ChatMessage, encodeKeptChatMessage, type HubMessage, type Notes } from '@hydra/core'
import { LAYOUTS, type Layout } from './layouts.ts'

/** Turns a unit of the history into OpenAI's messages; the notes say what these cannot hold. */
export function encodeUnit(
  unit: readonly HubMessage[],
  layout: Layout,
  { notes, at }: { readonly notes: Notes; readonly at: number },
): ChatMessage[] {
  return LAYOUTS[layout](unit).flatMap(({ message, turn }) =>
    encodeKeptChatMessage(message, { path: `messages[${at + turn}]`, notes }),
  )
}
