import { argumentsAt, objectAt, textAt, type WireObject } from '../../json/wire.ts'

/** What one element of `tool_calls` says; absent fields are empty. */
export interface CallPiece {
  readonly id: string
  readonly name: string
  readonly index: unknown
  readonly json: string
  readonly signature: string
  /** Its input is a text, of which `json` is a piece. */
  readonly isFreeText: boolean
}

/** Reads one element of `tool_calls`. */
export function readCallPiece(delta: WireObject): CallPiece {
  if (isFreeText(delta)) return readFreeTextCall(delta)
  const fn = objectAt(delta['function'], 'tool_calls[].function')
  return {
    id: textAt(delta['id'], 'tool_calls[].id'),
    name: textAt(fn?.['name'], 'tool_calls[].function.name'),
    index: delta['index'] ?? undefined,
    json: argumentsAt(fn?.['arguments'], 'tool_calls[].function.arguments'),
    signature: thoughtSignatureOf(delta),
    isFreeText: false,
  }
}

/** What is around the text of a call whose input is free: it has the form of a tool that takes one string. */
export const FREE_TEXT = { start: '{"input":"', end: '"}' } as const

/** A piece of a call whose input is free text: its text comes escaped, as a piece of a JSON string. */
function readFreeTextCall(delta: WireObject): CallPiece {
  const custom = objectAt(delta['custom'], 'tool_calls[].custom')
  return {
    id: textAt(delta['id'], 'tool_calls[].id'),
    name: textAt(custom?.['name'], 'tool_calls[].custom.name'),
    index: delta['index'] ?? undefined,
    json: JSON.stringify(textAt(custom?.['input'], 'tool_calls[].custom.input')).slice(1, -1),
    signature: '',
    isFreeText: true,
  }
}

/** Only the first piece of a call names its type; some servers send an empty `custom` with every function. */
function isFreeText({ type, custom, function: fn }: WireObject): boolean {
  if (type === 'custom') return true
  return custom !== undefined && custom !== null && (fn === undefined || fn === null)
}

/** Whether a piece says nothing at all. */
export function isEmptyPiece({ id, name, json }: CallPiece): boolean {
  return id === '' && name === '' && json === ''
}

function thoughtSignatureOf(delta: WireObject): string {
  if (delta['extra_content'] === undefined) return ''
  const google = objectAt(
    objectAt(delta['extra_content'], 'extra_content')?.['google'],
    'extra_content.google',
  )
  return textAt(google?.['thought_signature'], 'extra_content.google.thought_signature')
}
