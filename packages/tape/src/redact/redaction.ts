import { Buffer } from 'node:buffer'
import type { TapedHeaders } from '../format/lines.ts'
import { type AnyHeaders, recordedHeaders } from './headers.ts'
import { KnownFrames } from './known-frames.ts'
import { formatMark, MarkNumbers } from './marks.ts'
import { createSecretFinder, type SecretFinder } from './secret-finder.ts'
import type { Secret } from './shapes.ts'
import { StreamRedaction } from './stream-redaction.ts'

/** The rules by which secrets are found and replaced. */
export interface Redaction {
  /** What the header of a tape calls these rules. */
  readonly name: string
  /** Finds the secrets in text of one character per byte. */
  readonly finder: SecretFinder
  /** Begins a tape: the same secret gets the same mark in it. Numbers go on behind the last one of a tape. */
  forTape(lastNumber?: number): TapeRedaction
}

/** Replaces the secrets of one tape. */
export interface TapeRedaction {
  /** Begins a leg that arrives in pieces. */
  stream(): StreamRedaction
  /** Whether the pieces that bodies are cut into can be searched one by one. */
  readonly canBeCut: boolean
  /** A whole body; the very same bytes if there is no secret in it. */
  bytes(bytes: Uint8Array): Uint8Array
  text(text: string): string
  /** The headers that are recorded, without secrets. */
  headers(headers: AnyHeaders): TapedHeaders
  /** A value of JSON in which no string holds a secret. */
  values<Value>(value: Value): Value
}

/** What is secret beyond what has the shape of a secret. */
export interface RedactionOptions {
  readonly name?: string
  /** Exact values; those of fewer than 8 characters are placeholders and are left alone. */
  readonly secrets?: readonly string[]
  /** Home directories. */
  readonly homes?: readonly string[]
}

/** The name of the rules of this version. */
const DEFAULT_NAME = 'default-1'

/** Of texts without secrets so many are remembered, up to this length. */
const MOST_REMEMBERED = 256
const LONGEST_REMEMBERED = 256

const NOT_ASCII = /[^\0-\u007f]/

/** Environment variables whose values are secret. */
const SECRET_VARIABLE = /(?:KEY|TOKEN|SECRET|PASSWORD)S?$/i

/** The rules for exact values, home directories, and everything that has the shape of a secret. */
export function createRedaction(options: RedactionOptions = {}): Redaction {
  const { name = DEFAULT_NAME, secrets = [], homes = [] } = options
  const finder = createSecretFinder(secrets, homes)
  return { name, finder, forTape: (lastNumber) => redactTape(finder, new MarkNumbers(lastNumber)) }
}

/** The rules for the values of an environment and other secrets, and for a home directory. */
export function defaultRedaction(
  env: Readonly<Record<string, string | undefined>>,
  home: string | undefined,
  extraSecrets: readonly string[] = [],
): Redaction {
  const values = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && SECRET_VARIABLE.test(name) ? [value.trim()] : [],
  )
  return createRedaction({ secrets: [...values, ...extraSecrets], homes: home === undefined ? [] : [home] })
}

function redactTape(finder: SecretFinder, numbers: MarkNumbers): TapeRedaction {
  const redactBytes = (text: string): string => {
    const secrets = finder.find(text)
    return secrets.length === 0 ? text : coverAll(text, secrets, numbers)
  }
  const frames = new KnownFrames()
  const harmless = new HarmlessTexts()
  const redactAnew = (text: string): string => {
    if (!NOT_ASCII.test(text)) return redactBytes(text)
    const before = Buffer.from(text, 'utf8').toString('latin1')
    const after = redactBytes(before)
    return after === before ? text : Buffer.from(after, 'latin1').toString('utf8')
  }
  const redactText = (text: string): string => {
    if (harmless.has(text)) return text
    const after = redactAnew(text)
    if (after === text) harmless.add(text)
    return after
  }
  const redactValues = (value: unknown): unknown => {
    if (typeof value === 'string') return redactText(value)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(redactValues)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redactValues(inner)]))
  }
  return {
    canBeCut: finder.canBeCut,
    stream: () => new StreamRedaction(finder, numbers, frames),
    bytes(bytes) {
      const before = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
      const after = redactBytes(before)
      return after === before ? bytes : Buffer.from(after, 'latin1')
    },
    text: redactText,
    headers: (headers) => recordedHeaders(headers, redactText),
    values: <Value>(value: Value): Value => redactValues(value) as Value,
  }
}

/** Texts that were searched in vain: headers and names come again with every request. */
class HarmlessTexts {
  readonly #texts = new Set<string>()

  has(text: string): boolean {
    return text.length <= LONGEST_REMEMBERED && this.#texts.has(text)
  }

  add(text: string): void {
    if (text.length > LONGEST_REMEMBERED) return
    if (this.#texts.size >= MOST_REMEMBERED) this.#texts.clear()
    this.#texts.add(text)
  }
}

function coverAll(text: string, secrets: readonly Secret[], numbers: MarkNumbers): string {
  const parts: string[] = []
  let done = 0
  for (const { start, end, kind, identity } of secrets) {
    const number = numbers.numberOf(identity ?? text.slice(start, end))
    parts.push(text.slice(done, start), formatMark(kind, number, end - start))
    done = end
  }
  return parts.join('') + text.slice(done)
}
