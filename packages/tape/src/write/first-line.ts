import { Buffer } from 'node:buffer'
import { closeSync, openSync, readSync } from 'node:fs'

/** Longer ones are no headers. */
const MAX_HEADER = 65_536

/** The first line of a file, of which no more is read than a header has. */
export function firstLineOf(file: string): string {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(MAX_HEADER)
    const text = bytes.toString('utf8', 0, readSync(descriptor, bytes))
    return text.split('\n', 1)[0] ?? ''
  } finally {
    closeSync(descriptor)
  }
}
