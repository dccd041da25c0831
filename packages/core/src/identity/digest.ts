import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { Memo } from '../memo/memo.ts'

/** The SHA-256 of a text in hexadecimal: stable for ever, so shortened names survive restarts and releases. */
export function digest(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}

const MAX_KNOWN = 500
const known = new Memo<string, string>(MAX_KNOWN)

/** The same, remembered: the names and ids of a conversation come again with each of its requests. Not for keys. */
export function knownDigest(text: string): string {
  const before = known.get(text)
  if (before !== undefined) return before
  const hash = digest(text)
  known.set(text, hash)
  return hash
}
