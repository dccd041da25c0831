import { Buffer, isUtf8 } from 'node:buffer'
import { parseEvents } from '@hydra/core'
import type { TapedAnswer, TapedChunk } from '../format/tape.ts'
import type { Workspace } from '../match/matcher.ts'
import { isEndOfName, replaceFolder } from '../match/normalize.ts'
import { rechunk } from './rechunk.ts'

/**
 * An answer in which the folder that the recorded program worked in is the one that this program works in: a model that
 * was told of one folder would have its tools look into it. A name that was cut between events is found too. Answers
 * that do not name the folder keep their bytes and pieces.
 */
export function rewriteAnswer(answer: TapedAnswer, workspace: Workspace): TapedAnswer {
  const { chunks, headers } = answer
  const whole = Buffer.concat(chunks.map(({ bytes }) => bytes))
  if (!isUtf8(whole)) return answer
  const isStream = headers['content-type']?.includes('event-stream') === true
  const rewritten = isStream ? rewriteEvents(chunks, workspace) : rewriteWhole(chunks, whole, workspace)
  return rewritten === undefined ? answer : { ...answer, chunks: rewritten }
}

function rewriteWhole(
  chunks: readonly TapedChunk[],
  whole: Buffer,
  { recorded, current }: Workspace,
): readonly TapedChunk[] | undefined {
  const before = whole.toString()
  const after = replaceFolder(before, inJson(recorded), inJson(current))
  if (after === before) return undefined
  return [{ at: chunks.at(-1)?.at ?? 0, bytes: Buffer.from(after) }]
}

/** A text as it is written within a string of JSON. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** An event of a stream, and what its data says if that is JSON. */
interface ReadEvent {
  readonly at: number
  readonly text: string
  readonly data: string
  readonly value: unknown
  isChanged: boolean
}

/** A string in an event: a part of a text that goes on in the next one. */
interface Part {
  readonly event: ReadEvent
  readonly holder: Record<string, unknown>
  readonly key: string
}

function rewriteEvents(
  chunks: readonly TapedChunk[],
  workspace: Workspace,
): readonly TapedChunk[] | undefined {
  const events = rechunk(chunks, 'events').map(readEvent)
  const texts = new Map<string, Part[]>()
  for (const event of events) collectParts(event.value, { event, path: '' }, texts)
  for (const parts of texts.values()) rewriteText(parts, workspace)
  if (!events.some(({ isChanged }) => isChanged)) return undefined
  return events.map(({ at, text, data, value, isChanged }) => ({
    at,
    bytes: Buffer.from(isChanged ? text.replace(data, () => JSON.stringify(value)) : text),
  }))
}

function readEvent({ at, bytes }: TapedChunk): ReadEvent {
  const text = Buffer.from(bytes).toString()
  const data = parseEvents(text).events[0]?.data ?? ''
  return { at, text, data, value: parsed(data), isChanged: false }
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

interface Place {
  readonly event: ReadEvent
  /** The names of the fields, and the indexes that tell texts of the same fields apart. */
  readonly path: string
}

/** Finds all strings of a value; those with the same path are parts of one text. */
function collectParts(value: unknown, { event, path }: Place, texts: Map<string, Part[]>): void {
  if (typeof value !== 'object' || value === null) return
  const holder = value as Record<string, unknown>
  const index = Object.entries(holder).find(([name]) => /(?:^|_)index$/i.test(name))?.[1]
  const own = `${path}${typeof index === 'number' ? `#${index}` : ''}`
  for (const [key, inner] of Object.entries(holder)) {
    const below = Array.isArray(value) ? `${own}[]` : `${own}.${key}`
    if (typeof inner !== 'string') {
      collectParts(inner, { event, path: below }, texts)
      continue
    }
    const parts = texts.get(below) ?? []
    texts.set(below, parts)
    parts.push({ event, holder, key })
  }
}

/** Replaces a name in a text of several parts: what is new goes to the part in which the name begins. */
function rewriteText(parts: readonly Part[], { recorded, current }: Workspace): void {
  const pieces = parts.map(({ holder, key }) => String(holder[key]))
  const whole = pieces.join('')
  for (const at of occurrences(whole, recorded).toReversed()) {
    let start = 0
    for (const [index, piece] of parts.map(({ holder, key }) => String(holder[key])).entries()) {
      const length = pieces[index]?.length ?? 0
      const [from, to] = [Math.max(at - start, 0), Math.min(at + recorded.length - start, length)]
      start += length
      const part = parts[index]
      if (to <= from || part === undefined) continue
      const isFirst = at >= start - length
      part.holder[part.key] = piece.slice(0, from) + (isFirst ? current : '') + piece.slice(to)
      part.event.isChanged = true
    }
  }
}

function occurrences(text: string, name: string): number[] {
  const found: number[] = []
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
    if (isEndOfName(text, at + name.length)) found.push(at)
  }
  return found
}
