/** One event of a stream: its name, and its data as JSON or as the word that it is. */
export interface WireEvent {
  readonly name: string | undefined
  readonly data: unknown
}

const EVENT = /^(?:event: ([\w.]+)\n)?data: ([^\n\r]+)$/

/** The events of a stream, in the one way in which we write them; a text says what is no event. */
export function readWireEvents(output: string): readonly WireEvent[] | string {
  if (!output.endsWith('\n\n')) return `it ends in the middle of an event: ${output.slice(-60)}`
  const events: WireEvent[] = []
  for (const text of output.slice(0, -2).split('\n\n')) {
    const [, name, data = ''] = EVENT.exec(text) ?? []
    if (data === '') return `this is no event: ${text.slice(0, 200)}`
    try {
      events.push({ name, data: data === '[DONE]' ? data : (JSON.parse(data) as unknown) })
    } catch {
      return `the data of an event is no JSON: ${data.slice(0, 200)}`
    }
  }
  return events
}
