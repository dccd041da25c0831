import type { ChatContext } from './profile.ts'
import type { CallAssembler } from './calls.ts'
import type { Outflow } from './outflow.ts'
import { reasoningOf, signedThinkingOf } from './thinking.ts'
import { arrayAt, objectAt, textAt, WireFault, type WireObject } from './wire.ts'

/** Where the pieces of a delta go. */
export interface DeltaTarget {
  readonly context: ChatContext
  readonly outflow: Outflow
  readonly calls: CallAssembler
}

/** The fields of a delta that are understood, or that say nothing a client could be told. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'role',
  'content',
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
  const { outflow } = target
  decodeThinking(delta, target)
  const { content, refusal, tool_calls: pieces, function_call: legacy } = delta
  if (typeof content === 'string') outflow.text(content)
  else if (content !== undefined && content !== null) decodeContent(content, target)
  if (refusal !== undefined) outflow.text(textAt(refusal, 'choices[0].delta.refusal'))
  if (pieces !== undefined) decodeCalls(arrayAt(pieces, 'choices[0].delta.tool_calls'), target)
  if (legacy !== undefined && legacy !== null) decodeCall({ index: 'legacy', function: legacy }, target)
  outflow.settle()
  noteUnknown(delta, target)
}

function decodeThinking(delta: WireObject, { context, outflow }: DeltaTarget): void {
  const reasoning = reasoningOf(delta, context.notes)
  outflow.thinking(reasoning)
  if (delta['thinking_blocks'] === undefined) return
  for (const { thinking, signature } of signedThinkingOf(delta)) {
    // LiteLLM sends the same piece as reasoning_content.
    if (reasoning === '') outflow.thinking(thinking)
    outflow.signature(signature)
  }
}

/** Content that is not a string: Mistral's parts, or the object of a JSON mode. */
function decodeContent(content: unknown, target: DeltaTarget): void {
  if (typeof content !== 'object') throw new WireFault('choices[0].delta.content', 'a string', content)
  if (!Array.isArray(content)) {
    target.outflow.text(JSON.stringify(content))
    return
  }
  for (const part of content) decodePart(part, target)
}

function decodePart(part: unknown, { context, outflow }: DeltaTarget): void {
  if (typeof part === 'string') {
    outflow.text(part)
    return
  }
  const path = 'choices[0].delta.content[]'
  const { type, text, thinking } = objectAt(part, path) ?? {}
  if (type === 'text') outflow.text(textAt(text, `${path}.text`))
  else if (type === 'thinking') outflow.thinking(thinkingText(thinking))
  else context.notes.add('content_dropped', path, `a part of the type ${String(type)} was left out`)
}

function thinkingText(thinking: unknown): string {
  if (typeof thinking === 'string') return thinking
  const path = 'choices[0].delta.content[].thinking'
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

function decodeCall(piece: WireObject, { outflow, calls }: DeltaTarget): void {
  outflow.beforeCall()
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
