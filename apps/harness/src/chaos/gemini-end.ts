import { eventsIn, type FoundEvent, linesIn } from './found-events.ts'
import type { UpstreamEnd } from './upstream-end.ts'

const NEVER: UpstreamEnd = { at: Infinity, isFollowed: false }

/** Finds where Google ends an answer: in events, in one document, or in the array that a stream is without `alt=sse`. */
export function endOfGemini(bytes: Uint8Array): UpstreamEnd {
  const text = Buffer.from(bytes).toString('latin1')
  const [, first] = /^[\s\u00EF\u00BB\u00BF]*([{[])/.exec(text) ?? []
  if (first === '[') return endOfArray(text)
  return first === '{' ? endOfWhole(text) : endOfChunks(text)
}

/** The reason to finish ends a stream, behind which more of the answer may come; an error takes the end back. */
function endOfChunks(text: string): UpstreamEnd {
  const answer = new Answer()
  let at = Infinity
  let isFollowed = false
  let failure = strayError(text)
  for (const { data, end } of eventsIn(text)) {
    if (failure < end) break
    const word = answer.read(parse(data))
    if (word === 'error') failure = end
    if (word !== 'nothing' && at !== Infinity) isFollowed = true
    if (at === Infinity && word !== 'error' && answer.isFinished) at = end
  }
  const isTakenBack = failure !== Infinity || !answer.isFinished
  return at !== Infinity && isTakenBack ? { at, isFollowed: true, isTakenBack } : { at, isFollowed }
}

/** Where Google says an error as SDKs expect it: on lines of its own, without `data:`. */
function strayError(text: string): number {
  let stray = ''
  for (const { line, end } of linesIn(text)) {
    if (line === '' || /^(?:data|event|id|retry|):|^(?:data|event|id|retry)$/.test(line)) continue
    stray += line
    if (wordOf(parse(stray)) === 'error') return end
  }
  return Infinity
}

/** One document is finished when it is whole and says why it ends. */
function endOfWhole(text: string): UpstreamEnd {
  const whole = text.trimEnd()
  const answer = new Answer()
  const word = answer.read(parse(whole.replace(/^[^{]*/, '')))
  return word !== 'error' && answer.isFinished ? { at: whole.length, isFollowed: false } : NEVER
}

/** An array ends with its bracket, if one of its elements has said why. */
function endOfArray(text: string): UpstreamEnd {
  const answer = new Answer()
  let bracket = Infinity
  for (const { data, end } of elementsIn(text)) {
    // What stands between two commas, or behind the last one, may be nothing.
    const chunk = parse(data.trim() || '{}')
    if (answer.read(chunk) === 'error' || chunk === undefined) return NEVER
    bracket = end
  }
  return answer.isFinished && text[bracket - 1] === ']' ? { at: bracket, isFollowed: false } : NEVER
}

const DEPTHS: ReadonlyMap<string, number> = new Map([
  ['[', 1],
  ['{', 1],
  [']', -1],
  ['}', -1],
])

/** The elements of an array, each with the place behind the comma or the bracket that ends it. */
function* elementsIn(text: string): Generator<FoundEvent> {
  let depth = 0
  let begin = 0
  for (const { 0: found, index } of text.matchAll(/"[^"\\]*(?:\\[^][^"\\]*)*"|[[\]{},]/g)) {
    const end = index + 1
    const isOver = depth === 1 && found === ']'
    const isBetween = isOver || (depth === 1 && found === ',')
    if (isBetween) yield { data: text.slice(begin, index), end }
    if (isOver) return
    if (isBetween || depth === 0) begin = end
    depth += DEPTHS.get(found) ?? 0
  }
}

interface Chunk {
  readonly error?: unknown
  readonly candidates?: unknown
  readonly promptFeedback?: { readonly blockReason?: unknown } | null
}

interface Candidate {
  readonly index?: unknown
  readonly content?: { readonly parts?: unknown } | null
  readonly finishReason?: unknown
  readonly groundingMetadata?: unknown
}

interface Part {
  readonly functionCall?: { readonly name?: unknown; readonly willContinue?: unknown } | null
}

type Word = 'content' | 'error' | 'nothing'

/** What the chunks of an answer have said so far about its end. */
class Answer {
  #finish = ''
  #isBlocked = false
  #isInCall = false

  /** A reason was given; a call that still goes on was cut, but by a limit or a filter. */
  get isFinished(): boolean {
    const isOrdinary = this.#finish === 'STOP' || this.#finish === '1'
    return this.#finish === '' ? this.#isBlocked : !(this.#isInCall && isOrdinary)
  }

  read(value: unknown): Word {
    const word = wordOf(value)
    if (word !== 'content') return word
    const { promptFeedback, candidates } = value as Chunk
    this.#isBlocked ||= Boolean(promptFeedback?.blockReason)
    const list = Array.isArray(candidates) ? (candidates as readonly (Candidate | null)[]) : []
    const first = list.find((candidate) => candidate !== null && (candidate.index ?? 0) === 0)
    return first && this.#candidate(first) ? 'content' : 'nothing'
  }

  /** Whether somebody would miss what it says. */
  #candidate({ content, finishReason, groundingMetadata }: Candidate): boolean {
    const { parts } = content ?? {}
    const list = Array.isArray(parts) ? (parts as readonly (Part | null)[]) : []
    for (const part of list) this.#call(part?.functionCall)
    const isReason =
      typeof finishReason === 'number' || (typeof finishReason === 'string' && finishReason !== '')
    const finish = isReason ? `${finishReason}`.toUpperCase() : this.#finish
    const isOther = finish !== this.#finish
    this.#finish = finish
    return isOther || list.some(says) || Object.keys(groundingMetadata ?? {}).length > 0
  }

  #call(call: Part['functionCall']): void {
    if (!call) return
    this.#isInCall = call.willContinue === true && (this.#isInCall || Boolean(call.name))
  }
}

/** Whether a part has more than empty text. */
function says(part: Part | null): boolean {
  return Object.entries(part ?? {}).some(([field, value]) => field !== 'thought' && Boolean(value))
}

/** What a chunk can be; one with fields of an answer is none of the errors that gateways make up. */
function wordOf(value: unknown): Word {
  if (typeof value !== 'object' || value === null) return 'nothing'
  const { error } = value as Chunk
  return typeof error === 'object' && error !== null && !Array.isArray(error) ? 'error' : 'content'
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data) as unknown
  } catch {
    return undefined
  }
}
