import {
  type ChatMessage,
  checkChatMessage,
  type HubRequest,
  type HubTextBlock,
  type Note,
  Notes,
} from '@hydra/core'
import { decodeUnit } from './decode-unit.ts'
import { encodeUnit } from './encode-unit.ts'
import type { Layout } from './layouts.ts'
import {
  type ExportedMessage,
  type ExportSource,
  isSame,
  type KeptHistory,
  type KeptUnit,
  systemMessage,
  type Unit,
  withoutIterationIds,
} from './openai-export.ts'

/** What can be imported: an export of ours, or messages of any program. */
export interface OpenAIImport {
  readonly messages: readonly ExportedMessage[]
  readonly layout?: Layout
  readonly kept?: KeptHistory
}

/** Reads a conversation in OpenAI's form. */
export function importOpenAI(source: OpenAIImport): ExportSource & { readonly notes: readonly Note[] } {
  const notes = new Notes()
  source.messages.forEach(checkChatMessage)
  const { system, systemWire, rest } = leadingSystem(source)
  const offset = source.messages.length - rest.length
  const units: Unit[] = []
  let at = 0
  for (const kept of [...(source.kept?.units ?? []), ...foreignUnits(rest, source.kept)]) {
    const slice = rest.slice(at, at + kept.messages)
    const place = { first: offset + at, notes }
    // What was taken out of the messages since the export is not brought back.
    if (slice.length === kept.messages) units.push(readUnit(slice, kept, { ...place, layout: source.layout }))
    else if (slice.length > 0) units.push(readUnit(slice, { messages: slice.length }, place))
    at += kept.messages
  }
  return { system, systemWire, units: units.filter(({ turns }) => turns.length > 0), notes: notes.list }
}

interface Leading {
  readonly system: HubRequest['system']
  readonly systemWire: ChatMessage | undefined
  readonly rest: readonly ExportedMessage[]
}

function leadingSystem({ messages, kept }: OpenAIImport): Leading {
  const [first] = messages
  const isOurs = kept?.leading === 0
  if (isOurs || (first?.role !== 'system' && first?.role !== 'developer')) {
    return { system: undefined, systemWire: undefined, rest: messages }
  }
  const rest = messages.slice(1)
  if (kept?.system !== undefined && isSame(systemMessage(kept.system), first)) {
    return { system: kept.system, systemWire: undefined, rest }
  }
  const { content } = first
  const system =
    typeof content === 'string' ? content : content.map(({ text }): HubTextBlock => ({ type: 'text', text }))
  return { system, systemWire: isSame(systemMessage(system), first) ? undefined : first, rest }
}

/** The messages that no kept unit speaks of: a turn of the assistant with its results, or one message. */
function foreignUnits(messages: readonly ExportedMessage[], kept: KeptHistory | undefined): KeptUnit[] {
  const known = (kept?.units ?? []).reduce((total, unit) => total + unit.messages, 0)
  const units: ExportedMessage[][] = []
  for (const message of messages.slice(known)) {
    const last = units.at(-1)
    if (last !== undefined && continues(message, last)) last.push(message)
    else units.push([message])
  }
  return units.map((unit) => ({ messages: unit.length, iteration: unit[0]?.iteration_id }))
}

function continues(message: ExportedMessage, unit: readonly ExportedMessage[]): boolean {
  const [first] = unit
  if (first?.iteration_id !== message.iteration_id) return false
  return message.iteration_id !== undefined || message.role === 'tool'
}

interface UnitPlace {
  /** The index of its first message. */
  readonly first: number
  readonly notes: Notes
  readonly layout?: Layout | undefined
}

function readUnit(slice: readonly ExportedMessage[], kept: KeptUnit, place: UnitPlace): Unit {
  const { iteration } = kept
  const written = withoutIterationIds(slice)
  const { layout = 'merged', notes, first } = place
  const again = (turns: Unit['turns']): ChatMessage[] =>
    encodeUnit(turns, layout, { notes: new Notes(), at: 0 })
  if (kept.turns !== undefined) {
    if (isSame(again(kept.turns), written)) return { turns: kept.turns, iteration }
    notes.add(
      'kept_ignored',
      `messages[${first}]`,
      'the messages were changed since the export: what was kept of them is void',
    )
  }
  const turns = decodeUnit(written, { first, notes })
  return isSame(again(turns), written) ? { turns, iteration } : { turns, iteration, wire: written }
}
