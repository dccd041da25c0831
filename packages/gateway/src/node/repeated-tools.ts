import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { deepFreeze } from '@hydra/core'
import { parseBytes } from '../exchange/parse-bytes.ts'

/** Shorter lists are parsed faster than they are found again. */
const LEAST_LENGTH = 2 * 1024
/** Longer ones are not worth the memory. */
const MOST_LENGTH = 1024 * 1024
/** How many lists are remembered: an agent and its sub-agents have a handful. */
const MOST_LISTS = 8

const MEMBER = Buffer.from('"tools":')
/** Stands in for a list while the rest of its request is parsed. Nobody else knows it, so nobody else can write it. */
const STAND_IN: string = randomUUID()

/** A list of tools as it was written, and what was read from it. */
interface KnownList {
  readonly bytes: Buffer
  /** Frozen all the way down, because all requests that bring the list share it. */
  readonly tools: readonly unknown[]
  /** Where it stood last, counted from the start and from the end of the body: one of them stays the same. */
  fromStart: number
  fromEnd: number
}

/**
 * Parses the bodies of requests, and does not parse a list of tools again that it has parsed before. Agents send the
 * same tools with every request, and with Claude Code they are most of its bytes. A request gets the very objects
 * of the one before it, so that whatever was made of them can be found again as well.
 */
export class RepeatedTools {
  /** The last used one comes first. */
  readonly #lists: KnownList[] = []

  parse(body: Uint8Array): unknown {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    if (bytes.length < LEAST_LENGTH) return parseBytes(bytes)
    for (const list of this.#lists) {
      const value = parseWithout(bytes, list)
      if (value === undefined) continue
      this.#use(list)
      return value
    }
    const value = parseBytes(bytes)
    return this.#learn(bytes) ?? value
  }

  /** Remembers the tools of a body, which is then parsed with them. */
  #learn(bytes: Buffer): unknown {
    const found = bytes.indexOf(MEMBER)
    if (found === -1) return undefined
    const start = found + MEMBER.length
    const end = endOfList(bytes, start)
    if (end - start < LEAST_LENGTH || end - start > MOST_LENGTH) return undefined
    const list = knownList(bytes, start, end)
    const value = list && parseWithout(bytes, list)
    if (list === undefined || value === undefined) return undefined
    this.#use(list)
    return value
  }

  #use(list: KnownList): void {
    if (this.#lists[0] === list) return
    const known = this.#lists.indexOf(list)
    if (known !== -1) this.#lists.splice(known, 1)
    this.#lists.unshift(list)
    if (this.#lists.length > MOST_LISTS) this.#lists.pop()
  }
}

function knownList(bytes: Buffer, start: number, end: number): KnownList | undefined {
  try {
    const tools: unknown = JSON.parse(bytes.toString('utf8', start, end))
    if (!Array.isArray(tools)) return undefined
    // A copy: a slice would keep the whole request.
    const own = Buffer.from(bytes.subarray(start, end))
    return { bytes: own, tools: deepFreeze(tools), fromStart: start, fromEnd: bytes.length - start }
  } catch {
    return undefined
  }
}

/** The value of a body that has this list as its tools, undefined for every other body. */
function parseWithout(bytes: Buffer, list: KnownList): unknown {
  const start = placeOf(list, bytes)
  if (start === -1) return undefined
  const before = bytes.subarray(0, start)
  const after = bytes.subarray(start + list.bytes.length)
  if (!isUtf8(before) || !isUtf8(after)) return undefined
  try {
    const value: unknown = JSON.parse(`${before.toString()}"${STAND_IN}"${after.toString()}`)
    // Anywhere else it would be a list of the same bytes that means something else, such as a tool's input.
    if (!hasStandIn(value)) return undefined
    value.tools = list.tools
    list.fromStart = start
    list.fromEnd = bytes.length - start
    return value
  } catch {
    return undefined
  }
}

function hasStandIn(value: unknown): value is { tools: unknown } {
  return typeof value === 'object' && value !== null && 'tools' in value && value.tools === STAND_IN
}

function placeOf(list: KnownList, bytes: Buffer): number {
  const fromEnd = bytes.length - list.fromEnd
  if (isAt(fromEnd, list, bytes)) return fromEnd
  if (isAt(list.fromStart, list, bytes)) return list.fromStart
  const found = bytes.indexOf(MEMBER) + MEMBER.length
  return found >= MEMBER.length && isAt(found, list, bytes) ? found : -1
}

function isAt(start: number, list: KnownList, bytes: Buffer): boolean {
  const end = start + list.bytes.length
  if (start < MEMBER.length || end > bytes.length) return false
  return (
    bytes.compare(MEMBER, 0, MEMBER.length, start - MEMBER.length, start) === 0 &&
    bytes.compare(list.bytes, 0, list.bytes.length, start, end) === 0
  )
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
