import type { Note } from '@hydra/core'

/** The codes of the notes about a place and what is below it. */
export function codesAt(notes: readonly Note[], place: string): string[] {
  const about = notes.filter(
    ({ path }) => path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`),
  )
  return [...new Set(about.map(({ code }) => code))]
}
