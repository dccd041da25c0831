import type { ChatContext } from './profile.ts'
import type { CallAssembler } from './calls.ts'
import type { BlockOrder } from './block-order.ts'
import { citationsIn } from './citations.ts'
import { reasoningOf, signedThinkingOf } from './thinking.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { arrayAt, objectAt, textAt, WireFault, type WireObject } from '../../json/wire.ts'

/** Where the pieces of a delta go. */
export interface DeltaTarget {
  readonly context: ChatContext
  readonly blocks: BlockOrder
  readonly calls: CallAssembler
}

/** The fields of a delta that are understood, or that have no counterpart for a client. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'role',
  'content',
  'annotations',
  'refusal',
  'tool_calls',
  'function_call',
  'reasoning',
  'reasoning_content',
  'reasoning_text',
  'reasoning_details',
  'thinking_blocks',
  'name',
  'index',
  'token_id',
  'channel',
  'provider_metadata',
  'provider_specific_fields',
])

/** Reads one delta: its thinking, its text, its calls, in the order in which a message has them. */
export function decodeDelta(delta: WireObject, target: DeltaTarget): void {
  const { blocks } = target
  decodeThinking(delta, target)
  const { content, refusal, annotations, tool_calls: pieces, function_call: legacy } = delta
  if (typeof content === 'string') blocks.text(content)
  else if (content !== undefined && content !== null) decodeContent(content, target)
  if (refusal !== undefined) blocks.text(textAt(refusal, 'choices[0].delta.refusal'))
  if (annotations !== undefined)
    for (const citation of citationsIn(annotations, target.context.notes)) blocks.cite(citation)
  if (pieces !== undefined) decodeCalls(arrayAt(pieces, 'choices[0].delta.tool_calls'), target)
  if (legacy !== undefined && legacy !== null) decodeCall({ index: 'legacy', function: legacy }, target)
  blocks.settle()
  noteUnknown(delta, target)
}

function decodeThinking(delta: WireObject, { context, blocks }: DeltaTarget): void {
  const pieces = reasoningOf(delta, context.notes)
  for (const { thinking, signature } of pieces) {
    blocks.thinking(thinking)
    blocks.signature(signature)
  }
  if (delta['thinking_blocks'] === undefined) return
  const isTold = pieces.some(({ thinking }) => thinking !== '')
  for (const { thinking, signature } of signedThinkingOf(delta, context.notes)) {
    // LiteLLM sends the same piece as reasoning_content.
    if (!isTold) blocks.thinking(thinking)
    blocks.signature(signature)
  }
}

/** Content that is not a string: parts of Mistral and Databricks, or the object of a JSON mode. */
function decodeContent(content: unknown, target: DeltaTarget): void {
  if (typeof content !== 'object') throw new WireFault('choices[0].delta.content', 'a string', content)
  if (!Array.isArray(content)) {
    target.blocks.text(JSON.stringify(content))
    return
  }
  for (const part of content) decodePart(part, target)
}

function decodePart(part: unknown, { context, blocks }: DeltaTarget): void {
  if (typeof part === 'string') {
    blocks.text(part)
    return
  }
  const path = 'choices[0].delta.content[]'
  const { type, text, thinking, summary } = objectAt(part, path) ?? {}
  if (type === 'text') blocks.text(textAt(text, `${path}.text`))
  else if (type === 'thinking') blocks.thinking(thoughtIn(thinking, `${path}.thinking`))
  else if (type === 'reasoning') decodeSummary(summary, { context, blocks })
  else context.notes.add('content_dropped', path, `a part of the type ${String(type)} was left out`)
}

/** Databricks' parts of reasoning. */
function decodeSummary(summary: unknown, { context, blocks }: Pick<DeltaTarget, 'context' | 'blocks'>): void {
  const path = 'choices[0].delta.content[].summary'
  blocks.thinking(thoughtIn(summary, path))
  if (!Array.isArray(summary) || !summary.some(isProof)) return
  context.notes.addOnce('reasoning_dropped', path, 'a proof of the thinking has no equivalent')
}

function isProof(part: unknown): boolean {
  return isJsonObject(part) && [part['signature'], part['data']].some(Boolean)
}

function thoughtIn(thinking: unknown, path: string): string {
  if (typeof thinking === 'string') return thinking
  const texts = arrayAt(thinking, path).map((part) =>
    typeof part === 'string' ? part : textAt(objectAt(part, `${path}[]`)?.['text'], `${path}[].text`),
  )
  return texts.join('')
}

function decodeCalls(pieces: readonly unknown[], target: DeltaTarget): void {
  for (const element of pieces) {
    const piece = objectAt(element, 'choices[0].delta.tool_calls[]')
    if (piece !== undefined) decodeCall(piece, target)
  }
}

function decodeCall(piece: WireObject, { blocks, calls }: DeltaTarget): void {
  blocks.beforeCall()
  calls.piece(piece)
}

function noteUnknown(delta: WireObject, { context }: DeltaTarget): void {
  for (const field in delta) {
    if (KNOWN_FIELDS.has(field)) continue
    const value = delta[field]
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) continue
    context.notes.add(
      'delta_ignored',
      `choices[0].delta.${field}`,
      'a field without an equivalent was left out',
    )
  }
}
