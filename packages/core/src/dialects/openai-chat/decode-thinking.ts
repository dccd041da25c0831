import type { Notes } from '../../hub/note.ts'
import type { HubToolUse } from '../../hub/request.ts'
import { GEMINI, sealEnvelope } from '../../identity/envelope.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { type KeptThinking, openKept, type ThinkingBlock, thinkingText } from './kept-thinking.ts'
import type { ChatMessage } from './wire.ts'

/** What was thought before a call, by its id. */
export type RecallThinking = (callId: string) => KeptThinking | undefined

interface ThinkingPlace {
  readonly path: string
  readonly notes: Notes
  readonly recall: RecallThinking | undefined
}

/** The thinking of an assistant's turn, and where it belongs. */
interface TurnThinking {
  readonly first: readonly ThinkingBlock[]
  before(callId: string): readonly ThinkingBlock[]
  readonly after: readonly ThinkingBlock[]
}

type Assistant = Extract<ChatMessage, { role: 'assistant' }>

/**
 * The thinking of a turn: what was kept of its calls, with its proofs; else what the client sends back of it,
 * which has none.
 */
export function decodeThinking(
  message: Assistant,
  calls: readonly HubToolUse[],
  place: ThinkingPlace,
): TurnThinking {
  const fields = message as unknown as JsonObject
  const details = Array.isArray(fields['reasoning_details']) ? fields['reasoning_details'] : []
  const kept = keptOf(calls, details, place.recall)
  if (kept.size === 0) return plainThinking(fields, details, { ...place, hasCalls: calls.length > 0 })
  noteOtherWords(fields, [...kept.values()], place)
  return {
    first: calls.flatMap(({ id }) => kept.get(id)?.first ?? []),
    before: (id) => kept.get(id)?.before ?? [],
    after: calls.flatMap(({ id }) => kept.get(id)?.after ?? []),
  }
}

function keptOf(
  calls: readonly HubToolUse[],
  details: readonly unknown[],
  recall: RecallThinking | undefined,
): Map<string, KeptThinking> {
  const kept = new Map<string, KeptThinking>()
  for (const { id } of calls) {
    const found = recall?.(id) ?? sealedFor(id, details)
    if (found !== undefined) kept.set(id, found)
  }
  return kept
}

/** What we gave the client for this call, and it gives back. */
function sealedFor(callId: string, details: readonly unknown[]): KeptThinking | undefined {
  const detail = details.find((value) => isJsonObject(value) && value['id'] === callId)
  const data = isJsonObject(detail) ? detail['data'] : undefined
  return typeof data === 'string' ? openKept(data) : undefined
}

function noteOtherWords(
  fields: JsonObject,
  kept: readonly KeptThinking[],
  { path, notes }: ThinkingPlace,
): void {
  const told = reasoningOf(fields)
  const known = thinkingText(kept.flatMap(({ first, before, after }) => [...first, ...before, ...after]))
  if (told === '' || squeezed(told) === squeezed(known)) return
  notes.add(
    'reasoning_replaced',
    path,
    'what was kept of this turn takes the place of the words of the client',
  )
}

function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, '')
}

function plainThinking(
  fields: JsonObject,
  details: readonly unknown[],
  { path, notes, hasCalls }: Pick<ThinkingPlace, 'path' | 'notes'> & { readonly hasCalls: boolean },
): TurnThinking {
  const signed = details.flatMap(signedDetail)
  const text = reasoningOf(fields) || detailsText(details)
  const first = signed.length > 0 ? signed : unsigned(text)
  if (details.some(isSealed)) {
    notes.addOnce(
      'reasoning_dropped',
      `${path}.reasoning_details`,
      'only its maker could read it or prove it',
    )
  }
  if (hasCalls && first.some((block) => block.type === 'thinking' && block.signature === '')) {
    notes.addOnce('thinking_unsigned', path, 'nothing is kept of these calls that proves what was thought')
  }
  const signatures = callSignatures(fields['tool_calls'])
  const before = (id: string): readonly ThinkingBlock[] => {
    const signature = signatures.get(id)
    return signature === undefined ? [] : [signature]
  }
  return { first, before, after: [] }
}

/** What another gateway gave the client to carry: encrypted, or with a proof of a kind that is not known here. */
function isSealed(detail: unknown): boolean {
  if (!isJsonObject(detail) || signedDetail(detail).length > 0) return false
  return [detail['data'], detail['signature']].some((value) => typeof value === 'string' && value !== '')
}

function unsigned(thinking: string): ThinkingBlock[] {
  return thinking === '' ? [] : [{ type: 'thinking', thinking, signature: '' }]
}

/** Anthropic's thinking as OpenRouter passes it on. */
function signedDetail(value: unknown): ThinkingBlock[] {
  if (!isJsonObject(value) || !String(value['format']).startsWith('anthropic-')) return []
  const { type, text, signature } = value
  if (type !== 'reasoning.text' || typeof text !== 'string' || typeof signature !== 'string') return []
  return signature === '' ? [] : [{ type: 'thinking', thinking: text, signature }]
}

function reasoningOf(fields: JsonObject): string {
  const texts = [fields['reasoning_content'], fields['reasoning'], thoughtIn(fields['content'])]
  return texts.find((text): text is string => typeof text === 'string' && text !== '') ?? ''
}

/** Whether a part of what was said is a thought: Mistral's models put theirs there. */
export function isThinkingPart(part: unknown): boolean {
  return isJsonObject(part) && part['type'] === 'thinking'
}

function thoughtIn(content: unknown): string {
  if (!Array.isArray(content)) return ''
  return content
    .map((part) => (isThinkingPart(part) ? wordsOf((part as JsonObject)['thinking']) : ''))
    .join('')
}

function wordsOf(thinking: unknown): string {
  if (typeof thinking === 'string') return thinking
  const parts = Array.isArray(thinking) ? thinking : []
  const texts = parts.map((part: unknown) => (isJsonObject(part) ? part['text'] : ''))
  return texts.filter((text) => typeof text === 'string').join('')
}

/** Gemini's signatures of calls, which clients of its OpenAI-compatible endpoint send back with them. */
function callSignatures(calls: unknown): ReadonlyMap<string, ThinkingBlock> {
  const found = new Map<string, ThinkingBlock>()
  for (const call of Array.isArray(calls) ? calls : []) {
    const { id, extra_content: extra } = isJsonObject(call) ? call : {}
    const google = isJsonObject(extra) ? extra['google'] : undefined
    const proof = isJsonObject(google) ? google['thought_signature'] : undefined
    if (typeof id !== 'string' || typeof proof !== 'string' || proof === '') continue
    const signature = sealEnvelope({ by: GEMINI, proof, callId: id })
    found.set(id, { type: 'thinking', thinking: '', signature })
  }
  return found
}

function detailsText(details: readonly unknown[]): string {
  const texts = details.map((value) => (isJsonObject(value) ? (value['text'] ?? value['summary']) : ''))
  return texts.filter((text) => typeof text === 'string').join('')
}
