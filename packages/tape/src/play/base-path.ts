import { addedPath, askedEndpoint } from '../match/asked-endpoint.ts'
import type { Recording } from './recording.ts'

/** The path that the base URL of a client has to have: what is left of the recorded one. */
export function basePathOf(recordings: readonly Recording[]): string {
  for (const { request } of recordings) {
    const [path = ''] = request.path.split('?', 1)
    const asked = askedEndpoint(path)
    // Lists of models have the same path in several dialects, whose clients add different parts of it.
    if (asked?.endpoint.purpose !== 'generate' && asked?.endpoint.purpose !== 'count') continue
    return path.slice(0, path.length - (addedPath(path, asked.client) ?? asked.route).length)
  }
  return ''
}
