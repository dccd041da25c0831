import { isUtf8 } from 'node:buffer'
import { isJsonObject, isLasting, nestsTooDeep, type RepeatedPlaces } from '@hydra/core'
import { parseBytes } from '../exchange/parse-bytes.ts'
import { KnownPart, parsed } from './known-part.ts'

/** Shorter parts are parsed faster than they are found again. */
const MIN_LENGTH = 2 * 1024
/** Longer ones are not worth the memory. */
const MAX_LENGTH = 1024 * 1024
/** How many parts are remembered: an agent and its sub-agents have a handful. */
const MAX_PARTS = 16
/** After this many requests in a row that brought nothing again, only some are learnt from. */
const PATIENCE = 16

type Request = Record<string, unknown>

/** A part that was found in a body. */
interface Found {
  readonly part: KnownPart
  readonly start: number
}

/**
 * Parses the bodies of requests, and does not parse again what it has parsed before. Agents send the same tools and
 * the same instructions with every request, often most of its bytes. A request gets the very
 * objects and strings of the one before it, so that whatever was made of them can be found again as well.
 */
export class RepeatedParts {
  /** The last used one comes first. */
  #parts: KnownPart[] = []
  /** How many requests in a row brought nothing again. */
  #misses = 0

  /** The value of a body; `places` are those of the client's dialect. */
  parse(body: Uint8Array, places: RepeatedPlaces | undefined): unknown {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    if (places === undefined || bytes.length < MIN_LENGTH) return parseBytes(bytes)
    const found = this.#find(bytes, places)
    const known = found.length === 0 ? undefined : parseWithout(bytes, found, places)
    const value = known ?? parseBytes(bytes)
    if (known === undefined) this.#miss(found)
    else this.#use(found)
    if (isJsonObject(value) && this.#isWorthLearning()) {
      this.#learn({ value, bytes, places }, known === undefined ? [] : found)
    }
    return value
  }

  #find(bytes: Buffer, places: RepeatedPlaces): Found[] {
    const found: Found[] = []
    let tools: number | undefined
    for (const part of this.#parts) {
      if (part.isRefuted) continue
      let start = part.placeIn(bytes)
      if (start === -1 && part.kind === 'tools') {
        tools ??= startOfTools(bytes, places)
        start = part.placeIn(bytes, tools)
      }
      if (start !== -1) found.push({ part, start })
    }
    return inOrder(found)
  }

  #miss(found: readonly Found[]): void {
    this.#misses += 1
    for (const { part } of found) part.doubt()
  }

  #use(found: readonly Found[]): void {
    this.#misses = 0
    const used = new Set(found.map(({ part }) => part))
    if (this.#parts.slice(0, used.size).every((part) => used.has(part))) return
    this.#parts = [...used, ...this.#parts.filter((part) => !used.has(part))]
  }

  /** Clients whose requests have nothing in common must not pay for it each time. */
  #isWorthLearning(): boolean {
    return this.#misses < PATIENCE || this.#misses % PATIENCE === 0
  }

  /**
   * Remembers the bytes of the parts of a request that are new. Whether they mean what they seem to shows when they come
   * again: then the request is parsed with them in their places, or without them if they are something else.
   */
  #learn(request: Parsed, found: readonly Found[]): void {
    const unseen = this.#parts.filter((part) => !found.some((one) => one.part === part))
    const seen = found.map(({ part }) => part)
    const learnt = [...newTools(request, unseen), ...newInstructions(request, { seen, unseen })]
    if (learnt.length > 0) this.#parts = [...learnt, ...this.#parts].slice(0, MAX_PARTS)
  }
}

/** Parts by their places, without those that others overlap. */
function inOrder(found: readonly Found[]): Found[] {
  let end = 0
  return found
    .toSorted((one, other) => one.start - other.start)
    .filter(({ part, start }) => {
      if (start < end) return false
      end = start + part.bytes.length
      return true
    })
}

/** The value of a body that has these parts in their places, undefined for every other body. */
function parseWithout(bytes: Buffer, found: readonly Found[], places: RepeatedPlaces): Request | undefined {
  let text = ''
  let at = 0
  for (const { part, start } of found) {
    const before = bytes.subarray(at, start)
    if (!isUtf8(before)) return undefined
    text += `${before.toString()}"${part.standIn}"`
    at = start + part.bytes.length
  }
  const rest = bytes.subarray(at)
  if (!isUtf8(rest)) return undefined
  const value = parsed(text + rest.toString())
  // Anywhere else it would be the same bytes with another meaning, such as a tool's input.
  if (!isJsonObject(value)) return undefined
  const misplaced = found.filter(({ part }) => !part.restore(value, places))
  return misplaced.length === 0 ? value : undefined
}

/** The tools of a request, if they are new and worth remembering. */
function newTools({ value, bytes: body, places }: Parsed, unseen: readonly KnownPart[]): KnownPart[] {
  const tools = value[places.tools]
  if (!Array.isArray(tools) || isLasting(tools)) return []
  // Marking them would overflow the stack; their decoder says what is wrong.
  if (nestsTooDeep(tools)) return []
  const start = startOfTools(body, places)
  const end = start === -1 ? start : endOfList(body, start)
  if (!isWorthKeeping(end - start)) return []
  if (unseen.some((part) => part.isRefuted && part.placeIn(body, start) === start)) return []
  return [KnownPart.ofTools({ body, start, end })]
}

/** A request that was parsed. */
interface Parsed {
  readonly value: Request
  readonly bytes: Buffer
  readonly places: RepeatedPlaces
}

interface Memory {
  /** What was found in the request. */
  readonly seen: readonly KnownPart[]
  /** What else is known. */
  readonly unseen: readonly KnownPart[]
}

/** Where the value of the member with the tools begins, as requests without white space write it; -1 if there is none. */
function startOfTools(body: Buffer, { tools }: RepeatedPlaces): number {
  const member = `${JSON.stringify(tools)}:`
  const found = body.indexOf(member)
  return found === -1 ? -1 : found + member.length
}

/** The long texts of a request's instructions that are new. */
function newInstructions({ value, bytes: body, places }: Parsed, { seen, unseen }: Memory): KnownPart[] {
  return places.instructions(value).flatMap(({ holder, key }) => {
    const text = holder[key]
    if (typeof text !== 'string' || !isWorthKeeping(text.length) || seen.some((part) => part.isText(text)))
      return []
    const written = Buffer.from(JSON.stringify(text))
    const start = body.indexOf(written)
    // One that is known and was not found has moved.
    const part = unseen.find((known) => known.isText(text))
    part?.placeIn(body, start)
    if (part !== undefined || start === -1) return []
    return [KnownPart.ofInstructions(text, { body, start, end: start + written.length })]
  })
}

function isWorthKeeping(length: number): boolean {
  return length >= MIN_LENGTH && length <= MAX_LENGTH
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN = 0x5b
const CLOSE = 0x5d

/** Where the list that begins here ends, or where it began if it is none. */
function endOfList(bytes: Buffer, start: number): number {
  let depth = 0
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (byte === OPEN) depth += 1
    else if (byte === CLOSE) depth -= 1
    if (depth === 0) return byte === CLOSE ? at + 1 : start
  }
  return start
}

function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    if (bytes[at] === BACKSLASH) at += 1
    else if (bytes[at] === QUOTE) return at
  }
  return bytes.length
}
