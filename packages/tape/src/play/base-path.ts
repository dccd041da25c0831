import type { Recording } from './recording.ts'

/** What each dialect's clients add to their base URL. */
const ADDED = /\/chat\/completions$|\/v1\/messages(?:\/count_tokens)?$/

/** The path that the base URL of a client has to have: what is left of the recorded one. */
export function basePathOf(recordings: readonly Recording[]): string {
  for (const { request } of recordings) {
    const [path = ''] = request.path.split('?', 1)
    if (ADDED.test(path)) return path.replace(ADDED, '')
  }
  return ''
}
