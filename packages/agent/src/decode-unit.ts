import {
  blocksOf,
  type ChatMessage,
  decodeChatMessages,
  type HubBlock,
  type HubMessage,
  type Notes,
} from '@hydra/core'

/** Where a unit was found, and where it is noted what the hub's form cannot hold of it. */
export interface UnitSource {
  /** The index of its first message. */
  readonly first: number
  readonly notes: Notes
}

/** Decodes messages that belong together: one turn of the assistant with the results of its calls, or one message. */
export function decodeUnit(messages: readonly ChatMessage[], source: UnitSource): HubMessage[] {
  const turns = decodeChatMessages(messages, source)
  if (turns[0]?.role !== 'assistant') return turns
  const said = turns.filter(({ role }) => role === 'assistant')
  const answers = turns.filter(({ role }) => role !== 'assistant')
  if (said.length === 1 && answers.length <= 1) return turns
  return [
    { role: 'assistant', content: blocksOfAll(said) },
    ...(answers.length === 0 ? [] : [{ role: 'user' as const, content: blocksOfAll(answers) }]),
  ]
}

function blocksOfAll(turns: readonly HubMessage[]): HubBlock[] {
  return turns.flatMap((turn) => [...blocksOf(turn)])
}
