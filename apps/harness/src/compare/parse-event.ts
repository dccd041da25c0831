/** One event of a stream, with its data parsed where it is JSON. */
export interface ParsedEvent {
  /** The name of the event; `message` where it has none, as the standard says. */
  readonly name: string
  readonly data: unknown
}

/** Reads the lines of one event; undefined for what carries no data, such as comments that keep a stream open. */
export function parseEvent(text: string): ParsedEvent | undefined {
  let name = 'message'
  const data: string[] = []
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'data') data.push(value)
    // A field that the standard does not know is shown too: some upstreams tell their errors in one.
    else if (field === 'event' || isStray(field)) name = field === 'event' ? value : line
  }
  if (data.length > 0) return { name, data: parseData(data.join('\n')) }
  return name === 'message' ? undefined : { name, data: undefined }
}

/** A text as the JSON that it is, or as it is. */
export function parseData(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

function isStray(field: string): boolean {
  return field !== '' && field !== 'id' && field !== 'retry'
}
