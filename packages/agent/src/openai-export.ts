import { type ChatMessage, type HubMessage, type HubRequest, type Note, Notes } from '@hydra/core'
import { decodeUnit } from './decode-unit.ts'
import { encodeUnit } from './encode-unit.ts'
import type { Layout } from './layouts.ts'

/** A message in OpenAI's form; the layout `grouped` says which iteration it belongs to. */
export type ExportedMessage = ChatMessage & { readonly iteration_id?: string }

/** A conversation in OpenAI's form, with what this form cannot say beside it. All of it is plain JSON. */
export interface OpenAIExport {
  readonly layout: Layout
  readonly messages: readonly ExportedMessage[]
  /** For the way back; it is never sent to a provider. */
  readonly kept: KeptHistory
  /** What the messages alone do not tell. */
  readonly notes: readonly Note[]
}

/** What belongs to an export and has no place in its messages. */
export interface KeptHistory {
  /** How many messages at the beginning are the system prompt: none or one. */
  readonly leading: number
  /** The system prompt, where it is more than one text. */
  readonly system?: HubRequest['system']
  readonly units: readonly KeptUnit[]
}

/** A stretch of the messages that came from one iteration, or from one message. */
export interface KeptUnit {
  /** How many messages it has become. */
  readonly messages: number
  readonly iteration?: string | undefined
  /** The turns themselves, where the messages do not say all of them. */
  readonly turns?: readonly HubMessage[]
}

/** A part of a conversation that stays together. */
export interface Unit {
  readonly turns: readonly HubMessage[]
  readonly iteration?: string | undefined
  /** The messages that it was imported from, where it would be written otherwise now. */
  readonly wire?: readonly ChatMessage[] | undefined
}

/** What an export is made of. */
export interface ExportSource {
  readonly system: HubRequest['system']
  readonly systemWire: ChatMessage | undefined
  readonly units: readonly Unit[]
}

/** Writes a conversation in OpenAI's form. */
export function exportOpenAI({ system, systemWire, units }: ExportSource, layout: Layout): OpenAIExport {
  const notes = new Notes()
  const head = systemWire ?? systemMessage(system)
  const messages: ExportedMessage[] = head === undefined ? [] : [head]
  const kept: KeptUnit[] = []
  let at = 0
  for (const unit of units) {
    const written = wireFor(unit, layout, { notes, at })
    kept.push(keptFor(unit, written))
    messages.push(...(layout === 'grouped' ? written.map((message) => marked(message, unit)) : written))
    at += unit.turns.length
  }
  const isPlain = typeof system === 'string' || system === undefined || systemWire !== undefined
  return {
    layout,
    messages,
    kept: { leading: head === undefined ? 0 : 1, ...(!isPlain && { system }), units: kept },
    notes: notes.list,
  }
}

/** Takes the ids of iterations away, for a provider that would refuse a field it does not know. */
export function withoutIterationIds(messages: readonly ExportedMessage[]): ChatMessage[] {
  return messages.map((message) => {
    const { iteration_id: id, ...plain } = message
    return id === undefined ? message : plain
  })
}

/** The system prompt as the first message. */
export function systemMessage(system: HubRequest['system']): ChatMessage | undefined {
  if (system === undefined) return undefined
  const content = typeof system === 'string' ? system : system.map(({ text }) => text).join('\n\n')
  return { role: 'system', content }
}

function wireFor(unit: Unit, layout: Layout, place: { notes: Notes; at: number }): readonly ChatMessage[] {
  if (unit.wire === undefined) return encodeUnit(unit.turns, layout, place)
  if (layout === 'merged' || unit.turns[0]?.role !== 'assistant') return unit.wire
  const words = `it was imported in a form of its own, which the layout ${layout} changes`
  place.notes.add('wire_form_changed', `messages[${place.at}]`, words)
  return encodeUnit(unit.turns, layout, place)
}

function marked(message: ChatMessage, { iteration }: Unit): ExportedMessage {
  return iteration === undefined ? message : { ...message, iteration_id: iteration }
}

function keptFor({ turns, iteration }: Unit, written: readonly ChatMessage[]): KeptUnit {
  const comesBack = isSame(decodeUnit(written, { first: 0, notes: new Notes() }), turns)
  return {
    messages: written.length,
    ...(iteration !== undefined && { iteration }),
    ...(!comesBack && { turns }),
  }
}

/** Whether two values are the same JSON, to the order of their fields. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
