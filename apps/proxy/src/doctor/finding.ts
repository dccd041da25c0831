import { styleText } from 'node:util'
import { plainText } from '../log/plain-text.ts'

/** The result of one look: what was found, and what to do about it. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'FAIL' | 'wait'
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

/** Something takes its time; shown on terminals only, until the next finding. */
export function waiting(text: string): Finding {
  return { level: 'wait', text }
}

/** It does not work. */
export function bad(text: string): Finding {
  return { level: 'FAIL', text }
}

const COLOURS = { ok: 'green', warn: 'yellow', FAIL: 'red', wait: 'dim' } as const

/** A finding as a line. */
export function findingLine({ level, text }: Finding): string {
  return `${styleText(COLOURS[level], level.padEnd(4))} ${plainText(text)}`
}
