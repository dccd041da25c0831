/** The input of a call as a client gets it: the value of its JSON, or the text itself if it is none. */
export function inputFrom(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    return json
  }
}
