import { isJsonObject } from '../../json/json-object.ts'
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
const CONTENT_KEY = /"content"\s*:\s*"$/

/**
 * Knows the one shape that most chunks of a stream share: the same JSON but for the text.
 * A chunk that begins and ends like the last one needs no parsing, and its text, still escaped,
 * can be copied into the client's event as it is.
 */
export class TextTemplate {
  #prefix = ''
  #suffix = ''
  #misses = 0

  /** The escaped text of a chunk that differs from the learnt one in nothing else. */
  match(data: string): string | undefined {
    const begin = this.#prefix.length
    const end = data.length - this.#suffix.length
    if (begin === 0 || end <= begin) return undefined
    // Comparing slices costs a tenth of `startsWith` and `endsWith`, which look at one character after the other.
    if (data.slice(end) !== this.#suffix || data.slice(0, begin) !== this.#prefix) return undefined
    const text = data.slice(begin, end)
    if (!PLAIN.test(text) && (text.length > MAX_ESCAPED_LENGTH || !SIMPLE.test(text))) return undefined
    this.#misses = 0
    return text
  }

  /** Takes a chunk as the template for the next ones, if its text is all it says. */
  learn(data: string, chunk: WireObject): void {
    if (this.#misses > MAX_MISSES) return
    this.#misses += 1
    const written = JSON.stringify(contentOf(chunk) ?? '')
    const at = written === '""' ? -1 : data.indexOf(written)
    if (at === -1) return
    const prefix = data.slice(0, at + 1)
    const suffix = data.slice(at + written.length - 1)
    if (!CONTENT_KEY.test(prefix) || !isSound(prefix, suffix)) return
    this.#prefix = prefix
    this.#suffix = suffix
  }
}

/** The text of a chunk in which nothing else has a meaning. */
function contentOf(chunk: WireObject): string | undefined {
  const { choices } = chunk
  if (!Array.isArray(choices) || choices.length !== 1 || usageIn(chunk) !== undefined) return undefined
  const choice: unknown = choices[0]
  if (!isJsonObject(choice) || (choice['index'] ?? 0) !== 0) return undefined
  if (choice['finish_reason'] || !isJsonObject(choice['delta'])) return undefined
  const { content, role: _role, ...others } = choice['delta']
  if (typeof content !== 'string' || !Object.values(others).every(isNothing)) return undefined
  return content
}

function isNothing(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Whether other text between the two would really be the text of the delta, and not of a namesake. */
function isSound(prefix: string, suffix: string): boolean {
  const probe: unknown = JSON.parse(`${prefix}probe${suffix}`)
  return isJsonObject(probe) && contentOf(probe) === 'probe'
}
