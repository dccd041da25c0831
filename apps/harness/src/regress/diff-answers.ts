import { parseEvents, splitEvents } from '@hydra/core'
import { type DiffLine, diffLines } from './diff-lines.ts'

/** How many events around a difference are shown. */
const CONTEXT = 2
/** A longer event is shown around the place where it differs. */
const SHOWN = 400
const LEAD = 120

/** The difference of two answers as text: event by event, or line by line for a body in one piece. */
export function diffAnswers(expected: Uint8Array, actual: Uint8Array): string {
  const units = isEvents(expected) || isEvents(actual) ? eventsOf : jsonLines
  const what = units === eventsOf ? 'event' : 'line'
  const lines = diffLines(units(expected), units(actual))
  const hunks = hunksOf(lines).map((hunk) => {
    const shown = hunk.map((line, index) => `${line.kind} ${excerpt(line, hunk, index)}`)
    return [`@@ ${what} ${hunk[0]?.number ?? 0} @@`, ...shown].join('\n')
  })
  return ['--- expected', '+++ now', ...hunks].join('\n')
}

/** Colours a diff for a terminal. */
export function coloured(diff: string): string {
  return diff
    .split('\n')
    .map((line) => {
      const colour = COLOURS[line.charAt(0)]
      return colour === undefined ? line : `\u001B[${colour}m${line}\u001B[0m`
    })
    .join('\n')
}

const COLOURS: Readonly<Record<string, number>> = { '-': 31, '+': 32, '@': 36 }

function isEvents(bytes: Uint8Array): boolean {
  return /^(?:event|data|:)/.test(Buffer.from(bytes.subarray(0, 16)).toString('latin1'))
}

/** An event on one line: its name and its data. */
function eventsOf(bytes: Uint8Array): string[] {
  return splitEvents(bytes).map((event) => {
    const text = Buffer.from(event).toString()
    const [read] = parseEvents(text).events
    if (read === undefined) return JSON.stringify(text)
    const { name, data } = read
    const isPlain = text === `${name === undefined ? '' : `event: ${name}\n`}data: ${data}\n\n`
    return isPlain ? `${name ?? ''} ${data}`.trimStart() : JSON.stringify(text)
  })
}

function jsonLines(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes).toString()
  if (text === '') return []
  try {
    return JSON.stringify(JSON.parse(text), null, 2).split('\n')
  } catch {
    return text.split('\n')
  }
}

/** The lines that differ, with a few around them, each group of them by itself. */
function hunksOf(lines: readonly DiffLine[]): DiffLine[][] {
  const hunks: DiffLine[][] = []
  let last = -Infinity
  for (const [index, line] of lines.entries()) {
    const near = lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1)
    if (near.every(({ kind }) => kind === ' ')) continue
    if (last !== index - 1) hunks.push([])
    hunks.at(-1)?.push(line)
    last = index
  }
  return hunks
}

function excerpt({ kind, text }: DiffLine, hunk: readonly DiffLine[], index: number): string {
  if (text.length <= SHOWN) return text
  const from = Math.max(0, partingFromPartner(kind, text, hunk, index) - LEAD)
  const end = from + SHOWN
  const rest = text.length - end
  const cut = `${from > 0 ? '…' : ''}${text.slice(from, end)}`
  return (rest > 0 ? `${cut}… (${rest} more characters)` : cut).toWellFormed()
}

/** Where a line parts from the one that took its place. */
function partingFromPartner(
  kind: DiffLine['kind'],
  text: string,
  hunk: readonly DiffLine[],
  index: number,
): number {
  const partner = kind === '-' ? hunk.slice(index).find((line) => line.kind === '+') : undefined
  const earlier = kind === '+' ? hunk.slice(0, index).findLast((line) => line.kind === '-') : undefined
  const other = (partner ?? earlier)?.text ?? ''
  let place = 0
  while (place < other.length && other[place] === text[place]) place += 1
  return place
}
