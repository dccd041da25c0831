import { blocksOf, type HubMessage } from '@hydra/core'
import { hasCalls } from './history-units.ts'

/**
 * How an iteration is laid out in OpenAI's form.
 * `merged`: all text and all calls in one message, then the results.
 * `parts`: one message for each part, the result of a call directly behind it.
 * `grouped`: the text, the calls and the results apart, each with the id of the iteration.
 */
export type Layout = 'merged' | 'parts' | 'grouped'

/** A message of the history, or a piece of one, that becomes messages of its own. */
export interface Piece {
  readonly message: HubMessage
  /** Which message of its unit it comes from. */
  readonly turn: number
}

/** Cuts a unit of the history into the pieces that a layout wants. */
export const LAYOUTS: Readonly<Record<Layout, (unit: readonly HubMessage[]) => Piece[]>> = {
  merged: whole,
  parts: (unit) => ofAssistant(unit, inParts),
  grouped: (unit) => ofAssistant(unit, inGroups),
}

function whole(unit: readonly HubMessage[]): Piece[] {
  return unit.map((message, turn) => ({ message, turn }))
}

type AssistantTurn = Extract<HubMessage, { role: 'assistant' }>
type Cut = (turn: AssistantTurn, results: readonly HubMessage[]) => Piece[]

function ofAssistant(unit: readonly HubMessage[], cut: Cut): Piece[] {
  const [turn, ...results] = unit
  return turn?.role === 'assistant' ? cut(turn, results) : whole(unit)
}

/** A provider wants a result directly behind its call, so the results do not wait for the end of the parts. */
function inParts(turn: AssistantTurn, messages: readonly HubMessage[]): Piece[] {
  const results = new Set(messages.flatMap((message, index) => resultsOf(message, index + 1)))
  const pieces: Piece[] = []
  for (const block of blocksOf(turn)) {
    pieces.push(piece({ ...turn, content: [block] }, 0))
    for (const result of results) {
      if (block.type !== 'tool_use' || result.id !== block.id) continue
      pieces.push(result)
      results.delete(result)
    }
  }
  pieces.push(...results)
  for (const [index, message] of messages.entries()) pieces.push(...restOf(message, index + 1))
  return pieces
}

function resultsOf(message: HubMessage, turn: number): (Piece & { readonly id: string })[] {
  return blocksOf(message).flatMap((block) =>
    block.type === 'tool_result'
      ? [{ ...piece({ role: 'user', content: [block] }, turn), id: block.tool_use_id }]
      : [],
  )
}

function restOf(message: HubMessage, turn: number): Piece[] {
  const content = blocksOf(message).filter(({ type }) => type !== 'tool_result')
  return content.length === 0 ? [] : [piece({ role: 'user', content }, turn)]
}

function inGroups(turn: AssistantTurn, results: readonly HubMessage[]): Piece[] {
  if (!hasCalls(turn)) return whole([turn, ...results])
  const said = blocksOf(turn).filter(({ type }) => type !== 'tool_use')
  const called = blocksOf(turn).filter(({ type }) => type === 'tool_use')
  const words = said.length === 0 ? [] : [piece({ ...turn, content: said }, 0)]
  const answers = results.map((message, index) => piece(message, index + 1))
  return [...words, piece({ ...turn, content: called }, 0), ...answers]
}

function piece(message: HubMessage, turn: number): Piece {
  return { message, turn }
}
