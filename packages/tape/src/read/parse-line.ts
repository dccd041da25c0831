import type { FramedLine, Leg, LineType, TapeHeader, TapeLine } from '../format/lines.ts'
import { TAPE_VERSION } from '../format/lines.ts'
import { faultInJson, isTooDeep } from './check-json.ts'
import { faultOfData, isFramed } from './check-data.ts'

/** A line that was understood, one that is written in the shorter way, or why it was not understood. */
export type ParsedLine =
  | { readonly event: TapeLine }
  | { readonly framed: FramedLine }
  | { readonly fault: string }

/** A header that was understood, or why it was not. */
export type ParsedHeader =
  | { readonly header: TapeHeader }
  | { readonly fault: string; readonly isOtherVersion?: boolean }

const LEGS: Readonly<Record<LineType, readonly Leg[]>> = {
  req: ['c>', '>u'],
  res: ['u>', '>c'],
  d: ['u>', '>c'],
  end: ['u>', '>c', ''],
  abort: ['c>', '>u', 'u>', '>c', ''],
  timeout: ['c>', '>u', 'u>', '>c', ''],
  retry: ['c>', '>u', 'u>', '>c', ''],
  note: ['c>', '>u', 'u>', '>c', ''],
  usage: ['c>', '>u', 'u>', '>c', ''],
  mark: ['c>', '>u', 'u>', '>c', ''],
}

/** Reads a line after the first. Nothing in it is believed before it was looked at. */
export function parseLine(text: string): ParsedLine {
  const parsed = parse(text)
  if ('fault' in parsed) return parsed
  const { value } = parsed
  if (!Array.isArray(value) || value.length !== 6) {
    return { fault: 'expected a list of six: number, time, exchange, leg, type and data' }
  }
  const [number, time, exchange, leg, type, data] = value as unknown[]
  if (!isCount(number)) return { fault: `expected the number of the line, got ${shown(number)}` }
  if (!Number.isSafeInteger(time)) return { fault: `expected a time in microseconds, got ${shown(time)}` }
  if (!isCount(exchange)) return { fault: `expected the number of an exchange, got ${shown(exchange)}` }
  if (!isType(type)) return { fault: `the type ${shown(type)} is not known` }
  if (!LEGS[type].includes(leg as Leg)) return { fault: `a line of type ${type} has no leg ${shown(leg)}` }
  const fault = faultOfData(type, leg as Leg, data)
  if (fault !== undefined) return { fault }
  // Every part was checked above; the union of all lines cannot be narrowed part by part.
  if (type === 'd' && isFramed(data)) return { framed: value as unknown as FramedLine }
  return { event: value as unknown as TapeLine }
}

/** Reads the first line. */
export function parseHeader(text: string): ParsedHeader {
  const parsed = parse(text)
  if ('fault' in parsed) return parsed
  const header = parsed.value as Partial<Record<keyof TapeHeader, unknown>> | null
  if (typeof header !== 'object' || header === null || Array.isArray(header) || !('tape' in header)) {
    return { fault: 'expected the header of a tape' }
  }
  if (header.tape !== TAPE_VERSION) {
    return {
      fault: `this is a tape of version ${shown(header.tape)}; this reader knows version ${TAPE_VERSION}`,
      isOtherVersion: true,
    }
  }
  const fault = faultOfHeader(header)
  return fault === undefined ? { header: header as unknown as TapeHeader } : { fault }
}

function faultOfHeader(header: Partial<Record<keyof TapeHeader, unknown>>): string | undefined {
  for (const name of ['tool', 'started', 'redaction'] as const) {
    if (typeof header[name] !== 'string') return `expected ${name} to be a text, got ${shown(header[name])}`
  }
  for (const name of ['client', 'session', 'workspace'] as const) {
    const value = header[name]
    if (value !== undefined && typeof value !== 'string')
      return `expected ${name} to be a text, got ${shown(value)}`
  }
  return Number.isNaN(Date.parse(String(header.started)))
    ? `expected started to be a time, got ${shown(header.started)}`
    : undefined
}

/** A value in a few characters, for a message. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 40 ? `${text.slice(0, 37)}…` : text
}

function parse(text: string): { readonly value: unknown } | { readonly fault: string } {
  // A chunk of text, which most lines are, is too flat to be checked.
  const isFlat = /^\[\d+,-?\d+,\d+,"[cu>]{2}","d","/.test(text)
  if (!isFlat && isTooDeep(text)) return { fault: 'it is nested too deep' }
  try {
    const value: unknown = JSON.parse(text)
    const fault = isFlat && isText(value) ? undefined : faultInJson(text)
    return fault === undefined ? { value } : { fault }
  } catch {
    // The engine's words quote the line, which may hold anything.
    return { fault: 'it is no JSON' }
  }
}

function isText(value: unknown): boolean {
  return Array.isArray(value) && value.length === 6 && typeof value[5] === 'string'
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0
}

function isType(value: unknown): value is LineType {
  return typeof value === 'string' && Object.hasOwn(LEGS, value)
}
