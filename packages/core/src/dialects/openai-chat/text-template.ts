import { isJsonObject } from '../../json/json-object.ts'
import { EventFrame, findRun, type FoundRun, PADDING } from './event-run.ts'
import { usageIn } from './usage.ts'
import type { WireObject } from './wire.ts'

/** Text that is written the same way inside every JSON string. */
const PLAIN = /^[ !#-[\]-\uffff]*$/
/** The same with the escapes for which there is only one short form, which is also ours. */
const SIMPLE = /^(?:[ !#-[\]-\uffff]|\\["\\bfnrt])*$/
/** Longer texts with escapes are not worth a look: parsing them costs little by comparison. */
const MAX_ESCAPED_LENGTH = 1000
/** After so many chunks in a row that fit no template, none is learnt any more. */
const MAX_MISSES = 16

/** Which text of a chunk varies while all the rest stays the same. */
interface VaryingText {
  /** What stands directly before the text. */
  readonly key: RegExp
  /** The text of a chunk in which nothing else has a meaning. */
  readonly textOf: (chunk: WireObject) => string | undefined
}

/** The words of an answer. */
export const CONTENT: VaryingText = { key: /"content"\s*:\s*"$/, textOf: contentOf }
/** A further piece of a call's arguments. */
export const ARGUMENTS: VaryingText = { key: /"arguments"\s*:\s*"$/, textOf: argumentsOf }

/**
 * Knows the one shape that most chunks of a stream share: the same JSON but for the text.
 * A chunk that begins and ends like the last one needs no parsing, and its text, still escaped,
 * can be copied into the client's event as it is.
 */
export class TextTemplate {
  readonly #varying: VaryingText
  /** The chunk that was learnt last. */
  chunk: WireObject = {}
  #prefix = ''
  #suffix = ''
  /** The same as it stands in the stream; made when it is first looked for. */
  #frame: EventFrame | undefined
  #misses = 0

  constructor(varying: VaryingText = CONTENT) {
    this.#varying = varying
  }

  /** The escaped text of a chunk that differs from the learnt one in nothing else. */
  match(padded: string): string | undefined {
    const data = withoutPadding(padded)
    const begin = this.#prefix.length
    const end = data.length - this.#suffix.length
    if (begin === 0 || end <= begin) return undefined
    // Comparing slices costs a tenth of `startsWith` and `endsWith`, which look at one character after the other.
    if (data.slice(end) !== this.#suffix || data.slice(0, begin) !== this.#prefix) return undefined
    const text = data.slice(begin, end)
    if (isNotCopied(text)) return undefined
    this.#misses = 0
    return text
  }

  /**
   * Finds the texts of the events that follow one another from here on and differ from the learnt one in nothing
   * else. Taken one by one, with their lines split and joined again, they would cost several times as much.
   */
  findRun(bytes: Uint8Array, from: number): FoundRun | undefined {
    if (this.#prefix === '') return undefined
    this.#frame ??= new EventFrame(this.#prefix, this.#suffix)
    const found = findRun(bytes, from, this.#frame)
    if (found !== undefined) this.#misses = 0
    return found
  }

  /** Takes a chunk as the template for the next ones, if its text is all it says. */
  learn(padded: string, chunk: WireObject): void {
    if (this.#misses > MAX_MISSES) return
    const data = withoutPadding(padded)
    const text = this.#varying.textOf(chunk)
    if (text === undefined || text === '') return
    this.#misses += 1
    const written = JSON.stringify(text)
    const at = data.indexOf(written)
    if (at === -1) return
    const prefix = ownCopy(data.slice(0, at + 1))
    const suffix = ownCopy(data.slice(at + written.length - 1))
    if (!this.#varying.key.test(prefix) || !this.#isSound(prefix, suffix)) return
    this.#prefix = prefix
    this.#suffix = suffix
    this.#frame = undefined
    this.chunk = chunk
  }

  /** Whether other text between the two would really be the text that varies, and not that of a namesake. */
  #isSound(prefix: string, suffix: string): boolean {
    const probe: unknown = JSON.parse(`${prefix}probe${suffix}`)
    return isJsonObject(probe) && this.#varying.textOf(probe) === 'probe'
  }
}

/** A copy that does not hold on to the whole read from which the text was cut. */
function ownCopy(text: string): string {
  return ` ${text}`.slice(1)
}

function isNotCopied(text: string): boolean {
  if (text === '') return true
  return !PLAIN.test(text) && (text.length > MAX_ESCAPED_LENGTH || !SIMPLE.test(text))
}

const END_OF_PADDING = /^\w*"\}$/

function withoutPadding(data: string): string {
  // Most chunks do not even end in a string.
  if (data.charAt(data.length - 2) !== '"') return data
  const at = data.lastIndexOf(PADDING)
  if (at === -1 || !END_OF_PADDING.test(data.slice(at + PADDING.length))) return data
  return `${data.slice(0, at)}}`
}

/** The one call that a chunk goes on with, if that is all it does. */
export function callIn(chunk: WireObject): WireObject | undefined {
  const { tool_calls: calls, role: _role, ...others } = deltaOf(chunk) ?? {}
  if (!Array.isArray(calls) || calls.length !== 1 || !Object.values(others).every(isNothing)) return undefined
  const call: unknown = calls[0]
  return isJsonObject(call) ? call : undefined
}

function argumentsOf(chunk: WireObject): string | undefined {
  const { index, type: _type, function: named, ...others } = callIn(chunk) ?? {}
  if (typeof index !== 'number' || !isJsonObject(named) || !Object.values(others).every(isNothing))
    return undefined
  const { arguments: json, ...rest } = named
  return typeof json === 'string' && Object.values(rest).every(isNothing) ? json : undefined
}

function contentOf(chunk: WireObject): string | undefined {
  const { content, role: _role, ...others } = deltaOf(chunk) ?? {}
  return typeof content === 'string' && Object.values(others).every(isNothing) ? content : undefined
}

/** The delta of a chunk that has one choice, the first, and neither a finish nor usage. */
function deltaOf(chunk: WireObject): WireObject | undefined {
  const { choices } = chunk
  if (!Array.isArray(choices) || choices.length !== 1 || usageIn(chunk) !== undefined) return undefined
  const choice: unknown = choices[0]
  if (!isJsonObject(choice) || (choice['index'] ?? 0) !== 0) return undefined
  return !choice['finish_reason'] && isJsonObject(choice['delta']) ? choice['delta'] : undefined
}

function isNothing(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}
