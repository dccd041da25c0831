import { objectAt, textAt, WireFault, type WireObject } from './wire.ts'

/** What one element of `tool_calls` says; absent fields are empty. */
export interface CallPiece {
  readonly id: string
  readonly name: string
  readonly index: unknown
  readonly json: string
  readonly signature: string
}

/** Reads one element of `tool_calls`. */
export function readCallPiece(delta: WireObject): CallPiece {
  if (delta['type'] === 'custom') return readCustomCall(delta)
  const fn = objectAt(delta['function'], 'tool_calls[].function')
  return {
    id: textAt(delta['id'], 'tool_calls[].id'),
    name: textAt(fn?.['name'], 'tool_calls[].function.name'),
    index: delta['index'] ?? undefined,
    json: argumentsOf(fn?.['arguments']),
    signature: thoughtSignatureOf(delta),
  }
}

/**
 * A call whose input is free text, which has the form of a tool that takes one string. We offer no such tools
 * ourselves, so it is read only where it comes whole: pieces of it would have to be told apart from whole ones.
 */
function readCustomCall(delta: WireObject): CallPiece {
  const custom = objectAt(delta['custom'], 'tool_calls[].custom')
  const name = textAt(custom?.['name'], 'tool_calls[].custom.name')
  const input = textAt(custom?.['input'], 'tool_calls[].custom.input')
  if (name === '' || input === '') throw new WireFault('tool_calls[].custom', 'a whole call', delta['custom'])
  return {
    id: textAt(delta['id'], 'tool_calls[].id'),
    name,
    index: delta['index'] ?? undefined,
    json: JSON.stringify({ input }),
    signature: '',
  }
}

/** Whether a piece says nothing at all. */
export function isEmptyPiece({ id, name, json }: CallPiece): boolean {
  return id === '' && name === '' && json === ''
}

function argumentsOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'object' && !Array.isArray(value)) return JSON.stringify(value)
  throw new WireFault('tool_calls[].function.arguments', 'a string or an object', value)
}

function thoughtSignatureOf(delta: WireObject): string {
  if (delta['extra_content'] === undefined) return ''
  const google = objectAt(
    objectAt(delta['extra_content'], 'extra_content')?.['google'],
    'extra_content.google',
  )
  return textAt(google?.['thought_signature'], 'extra_content.google.thought_signature')
}
