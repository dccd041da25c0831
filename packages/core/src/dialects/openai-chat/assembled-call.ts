import { isJsonObject } from '../../json/json-object.ts'
import { HeldText } from '../../stream/held-text.ts'
import { JsonScanner } from '../../stream/json-scanner.ts'

/** One call while it is put together. */
export interface AssembledCall {
  /** The upstream's id, '' until it came. */
  id: string
  /** The id of its latest piece that had one: Poolside changes it on the way. */
  latestId: string
  name: string
  readonly index: unknown
  /** The client's id, once the block is open. */
  clientId: string | undefined
  signature: string
  state: 'waiting' | 'open' | 'closed'
  /** Arguments that cannot go out yet. */
  readonly held: HeldText
  /** Its input is free text, which is over when the call is. */
  isFreeText: boolean
  /** Some of the arguments are out, so the rest follows as it comes. */
  streamed: boolean
  scanner: JsonScanner
}

/** A call of which nothing but its number is known. */
export function newCall(index: unknown): AssembledCall {
  return {
    id: '',
    latestId: '',
    name: '',
    index,
    clientId: undefined,
    signature: '',
    state: 'waiting',
    held: new HeldText(),
    isFreeText: false,
    streamed: false,
    scanner: new JsonScanner(),
  }
}

/** Whether a call can still get arguments that belong to it. */
export function isUnfinished({ state, scanner }: AssembledCall): boolean {
  return state !== 'closed' && scanner.state !== 'complete'
}

/** Whether these arguments cannot belong to a call: Gemini sends one call after the other under the index 0. */
export function isOver({ state, scanner, held }: AssembledCall, json: string): boolean {
  if (state === 'closed') return true
  return scanner.state === 'complete' && !held.is('{}') && json.trimStart().startsWith('{')
}

/** Whether the arguments are one whole object or stand for none. */
export function isWhole({ scanner, held, isFreeText }: AssembledCall): boolean {
  if (isFreeText || scanner.state === 'complete' || scanner.state === 'empty') return true
  return held.is('null') || unwrapString(held) !== undefined
}

/** The JSON object inside a JSON string, if that is what the text is. */
export function unwrapString(held: HeldText): string | undefined {
  if (!held.beginsWith('"')) return undefined
  try {
    const inner: unknown = JSON.parse(held.text)
    if (typeof inner !== 'string') return undefined
    const value: unknown = JSON.parse(inner)
    return isJsonObject(value) ? inner : undefined
  } catch {
    return undefined
  }
}
