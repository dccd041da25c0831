import { LongTexts, type RoutedMessage, type RoutedParts } from '@hydra/core'

/** How many messages at the beginning of a conversation may carry a marker. */
const FIRST_MESSAGES = 3

/**
 * Whether the system prompt or the first messages of a conversation carry a marker, as a word of its own.
 * Only what the user's side wrote itself counts: not tool results, nor anything after the first answer,
 * where a marker may merely be quoted.
 */
export function hasMarker(request: Pick<RoutedParts, 'system' | 'messages'>, marker: string): boolean {
  const prompts = promptsWith(marker)
  if (systemTexts(request).some((text) => prompts.lookUp(text))) return true
  for (const message of request.messages.slice(0, FIRST_MESSAGES)) {
    if (message.role === 'assistant') return false
    if (textsOf(message).some((text) => holdsWord(text, marker))) return true
  }
  return false
}

/** What is known of system prompts, for each marker: both come from a handful of agents and from the configuration. */
const promptsByMarker = new Map<string, LongTexts<boolean>>()

function promptsWith(marker: string): LongTexts<boolean> {
  const known = promptsByMarker.get(marker)
  if (known !== undefined) return known
  const prompts = new LongTexts((text) => holdsWord(text, marker))
  promptsByMarker.set(marker, prompts)
  return prompts
}

/** Prompts are long and markers rare, so the quick look comes first. */
function holdsWord(text: string, word: string): boolean {
  if (!text.includes(word)) return false
  return new RegExp(`(?<![\\w:-])${escapeRegExp(word)}(?![\\w:-])`).test(text)
}

function systemTexts({ system }: Pick<RoutedParts, 'system'>): string[] {
  if (system === undefined) return []
  return typeof system === 'string' ? [system] : system.map((block) => block.text)
}

function textsOf({ content }: RoutedMessage): string[] {
  if (content === undefined) return []
  if (typeof content === 'string') return [content]
  return content.flatMap((block) => (block.type === 'text' ? [block.text ?? ''] : []))
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
