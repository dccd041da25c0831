import { hash, randomBytes } from 'node:crypto'
import type { Limits } from '../account/limits.ts'

/** What a client's key may do; the key itself is nowhere, only its hash. */
export interface ClientKey {
  readonly id: string
  readonly name: string
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string
  readonly owner?: string | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
  /** ISO dates. */
  readonly created?: string | undefined
  readonly expires?: string | undefined
  readonly revoked?: string | undefined
  /** Names in which `*` stands for any characters; by default all. */
  readonly models?: readonly string[] | undefined
  readonly routes?: readonly string[] | undefined
  readonly limits?: Limits | undefined
}

/** What all keys begin with, so that redaction and scanners of secrets find them. */
export const KEY_PREFIX = 'hydra_'

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LENGTH = 40

/** Makes a key of 40 random characters, about 238 bits. */
export function newKey(): string {
  for (;;) {
    const letters = randomLetters(LENGTH)
    // Without a digit it might be taken for an ordinary name and not be redacted.
    if (/\d/.test(letters)) return KEY_PREFIX + letters
  }
}

/** Makes the name under which a key is shown and counted. */
export function newKeyId(): string {
  return `key_${randomLetters(10).toLowerCase()}`
}

/** What is kept of a key. It is long and random, so a plain hash cannot be guessed back. */
export function hashOf(key: string): string {
  return hash('sha256', key)
}

/** Whether a key may be used at a time. */
export function isValid({ revoked, expires }: ClientKey, now: number): boolean {
  return revoked === undefined && (expires === undefined || Date.parse(expires) > now)
}

function randomLetters(count: number): string {
  let letters = ''
  while (letters.length < count) {
    for (const byte of randomBytes(count)) {
      // Beyond the largest multiple the first letters would be more likely.
      if (byte < LETTERS.length * 4) letters += LETTERS[byte % LETTERS.length]
    }
  }
  return letters.slice(0, count)
}
