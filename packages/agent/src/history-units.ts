import { blocksOf, type HubMessage } from '@hydra/core'

/** Splits a history into what must stay together: a turn with calls and its results, or one message. */
export function historyUnits(messages: readonly HubMessage[]): HubMessage[][] {
  const units: HubMessage[][] = []
  for (const message of messages) {
    const last = units.at(-1)
    if (last !== undefined && belongsTo(message, last)) last.push(message)
    else units.push([message])
  }
  return units
}

/** Whether a message carries results of the unit's calls. */
export function belongsTo(message: HubMessage, unit: readonly HubMessage[]): boolean {
  const [first] = unit
  return message.role === 'user' && first !== undefined && hasCalls(first) && hasResults(message)
}

/** Whether a turn calls tools of the client. */
export function hasCalls(message: HubMessage): boolean {
  return message.role === 'assistant' && blocksOf(message).some(({ type }) => type === 'tool_use')
}

function hasResults(message: HubMessage): boolean {
  return blocksOf(message).some(({ type }) => type === 'tool_result')
}
