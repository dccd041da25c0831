import { styleText } from 'node:util'
import { plainText } from '../log/plain-text.ts'

/** The result of one look: what was found, and what to do about it. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'FAIL'
  readonly text: string
}

/** All is well. */
export function good(text: string): Finding {
  return { level: 'ok', text }
}

/** It works, but not as one would like. */
export function odd(text: string): Finding {
  return { level: 'warn', text }
}

/** It does not work. */
export function bad(text: string): Finding {
  return { level: 'FAIL', text }
}

const COLOURS = { ok: 'green', warn: 'yellow', FAIL: 'red' } as const

/** A finding as a line. */
export function findingLine({ level, text }: Finding): string {
  return `${styleText(COLOURS[level], level.padEnd(4))} ${plainText(text)}`
}
