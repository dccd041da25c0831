import type { Surroundings } from '../src/command.ts'

/** Surroundings that keep what was written. */
export interface KeptSurroundings extends Surroundings {
  readonly written: { readonly out: string; readonly err: string }
}

/** The surroundings of a command in a test. */
export function surroundings(changes: Partial<Surroundings> = {}): KeptSurroundings {
  const written = { out: '', err: '' }
  return {
    written,
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    env: {},
    signal: new AbortController().signal,
    isTerminal: false,
    ...changes,
  }
}
