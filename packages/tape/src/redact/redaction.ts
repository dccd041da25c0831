import { Buffer } from 'node:buffer'
import { Memo } from '@hydra/core'
import type { TapedHeaders } from '../format/lines.ts'
import { type AnyHeaders, recordedHeaders } from './headers.ts'
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
  /** From now on these are secret too, also on tapes that have begun: a configuration may be read again. */
  learn(secrets: readonly string[]): void
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

/** How many texts without secrets are remembered, and up to which length. */
const MAX_TEXTS = 256
const MAX_TEXT_LENGTH = 256

const NOT_ASCII = /[^\0-\u007f]/

/** Environment variables whose values are secret. */
const SECRET_VARIABLE = /(?:KEY|TOKEN|SECRET|PASSWORD)S?$/i

/** The rules for exact values, home directories, and everything that has the shape of a secret. */
export function createRedaction(options: RedactionOptions = {}): Redaction {
  const { name = DEFAULT_NAME, secrets = [], homes = [] } = options
  let known: ReadonlySet<string> = new Set(secrets)
  let finder = createSecretFinder(secrets, homes)
  const findNow = (): SecretFinder => finder
  return {
    name,
    get finder() {
      return finder
    },
    forTape: (lastNumber) => redactTape(findNow, new MarkNumbers(lastNumber)),
    learn(more) {
      const all = new Set([...known, ...more])
      if (all.size === known.size) return
      known = all
      finder = createSecretFinder([...known], homes)
    },
  }
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

function redactTape(findNow: () => SecretFinder, numbers: MarkNumbers): TapeRedaction {
  const redactBytes = (text: string): string => {
    const secrets = findNow().find(text)
    return secrets.length === 0 ? text : coverAll(text, secrets, numbers)
  }
  const harmless = new HarmlessTexts(findNow)
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
    get canBeCut() {
      return findNow().canBeCut
    },
    stream: () => new StreamRedaction(findNow(), numbers),
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
  /** By whom they were searched: another finder may know more. */
  readonly #texts = new Memo<string, SecretFinder>(MAX_TEXTS)
  readonly #findNow: () => SecretFinder

  constructor(findNow: () => SecretFinder) {
    this.#findNow = findNow
  }

  has(text: string): boolean {
    return text.length <= MAX_TEXT_LENGTH && this.#texts.get(text) === this.#findNow()
  }

  add(text: string): void {
    if (text.length > MAX_TEXT_LENGTH) return
    this.#texts.set(text, this.#findNow())
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
