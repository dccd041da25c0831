import { isUtf8 } from 'node:buffer'
import { parseBytes } from '../exchange/parse-bytes.ts'
import { isObject, KnownPart } from './known-part.ts'

/** Shorter parts are parsed faster than they are found again. */
const LEAST_LENGTH = 2 * 1024
/** Longer ones are not worth the memory. */
const MOST_LENGTH = 1024 * 1024
/** How many parts are remembered: an agent and its sub-agents have a handful. */
const MOST_PARTS = 16
/** After so many requests in a row that brought nothing again, only some are learnt from. */
const PATIENCE = 16

const TOOLS = Buffer.from('"tools":')

type Request = Record<string, unknown>

/** A part that was found in a body. */
interface Found {
  readonly part: KnownPart
  readonly start: number
}

/**
 * Parses the bodies of requests, and does not parse again what it has parsed before. Agents send the same tools and
 * the same system prompt with every request, and with Claude Code they are most of its bytes. A request gets the very
 * objects and strings of the one before it, so that whatever was made of them can be found again as well.
 */
export class RepeatedParts {
  /** The last used one comes first. */
  #parts: KnownPart[] = []
  /** How many requests in a row brought nothing again. */
  #strangers = 0

  parse(body: Uint8Array): unknown {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    if (bytes.length < LEAST_LENGTH) return parseBytes(bytes)
    const found = this.#find(bytes)
    const known = found.length === 0 ? undefined : parseWithout(bytes, found)
    if (known === undefined) this.#strangers += 1
    else this.#use(found)
    const value = known ?? parseBytes(bytes)
    if (!isObject(value) || !this.#isWorthLearning()) return value
    return this.#learn(value, bytes, known === undefined ? [] : found) ?? value
  }

  #find(bytes: Buffer): Found[] {
    const found: Found[] = []
    let tools: number | undefined
    for (const part of this.#parts) {
      let start = part.placeIn(bytes)
      if (start === -1 && part.kind === 'tools') {
        tools ??= bytes.indexOf(TOOLS) + TOOLS.length
        start = part.placeIn(bytes, tools)
      }
      if (start !== -1) found.push({ part, start })
    }
    return inOrder(found)
  }

  #use(found: readonly Found[]): void {
    this.#strangers = 0
    const used = new Set(found.map(({ part }) => part))
    if (this.#parts.slice(0, used.size).every((part) => used.has(part))) return
    this.#parts = [...used, ...this.#parts.filter((part) => !used.has(part))]
  }

  /** Clients whose requests have nothing in common must not pay for it each time. */
  #isWorthLearning(): boolean {
    return this.#strangers < PATIENCE || this.#strangers % PATIENCE === 0
  }

  /** Remembers the parts of a request that are new, and gives the request as it is with them. */
  #learn(request: Request, bytes: Buffer, found: readonly Found[]): Request | undefined {
    const unseen = this.#parts.filter((part) => !found.some((one) => one.part === part))
    const seen = new Set(found.map(({ part }) => part.value))
    const learnt = [...newTools(request, bytes), ...newSystemTexts(request, bytes, { seen, unseen })]
    if (learnt.length === 0) return undefined
    // Parsed with them in their places: what stands somewhere else, and only looks like them, shows now.
    const value = parseWithout(bytes, inOrder([...found, ...learnt]))
    if (value !== undefined)
      this.#parts = [...learnt.map(({ part }) => part), ...this.#parts].slice(0, MOST_PARTS)
    return value
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
function parseWithout(bytes: Buffer, found: readonly Found[]): Request | undefined {
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
  return isObject(value) && found.every(({ part }) => part.restore(value)) ? value : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The tools of a request, if they are new and worth remembering. */
function newTools({ tools }: Request, body: Buffer): Found[] {
  // Those that are known are frozen.
  if (!Array.isArray(tools) || Object.isFrozen(tools)) return []
  const found = body.indexOf(TOOLS)
  const start = found + TOOLS.length
  const end = found === -1 ? start : endOfList(body, start)
  if (!isWorthKeeping(end - start)) return []
  const written = parsed(body.toString('utf8', start, end))
  return Array.isArray(written) ? [{ part: KnownPart.ofTools(written, { body, start, end }), start }] : []
}

interface Memory {
  /** What was found in the request. */
  readonly seen: ReadonlySet<unknown>
  /** What else is known. */
  readonly unseen: readonly KnownPart[]
}

/** The long texts of a request's system prompt that are new. */
function newSystemTexts({ system }: Request, body: Buffer, { seen, unseen }: Memory): Found[] {
  const blocks: readonly unknown[] = Array.isArray(system) ? system : [{ text: system }]
  const texts = blocks.map((block) => (isObject(block) ? block['text'] : undefined))
  return texts.flatMap((text) => {
    if (typeof text !== 'string' || !isWorthKeeping(text.length) || seen.has(text)) return []
    const written = Buffer.from(JSON.stringify(text))
    const start = body.indexOf(written)
    // One that is known and was not found stands somewhere else by now.
    const part = unseen.find(({ value }) => value === text)
    part?.placeIn(body, start)
    if (part !== undefined || start === -1) return []
    return [{ part: KnownPart.ofSystemText(text, { body, start, end: start + written.length }), start }]
  })
}

function isWorthKeeping(length: number): boolean {
  return length >= LEAST_LENGTH && length <= MOST_LENGTH
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
