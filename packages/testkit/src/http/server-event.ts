/** One event of a stream, with its data parsed. */
export interface ServerEvent {
  readonly event: string
  readonly data: EventData
}

/** What tests look at in the data of Anthropic's events. */
export interface EventData {
  readonly type: string
  readonly delta?: { readonly type?: string; readonly text?: string; readonly stop_reason?: string }
  readonly error?: { readonly type: string; readonly message: string }
}

/** Reads the events of a response one after the other; an incomplete last one is an error. */
export async function* readEvents(response: Response): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of response.body ?? []) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) yield parseEvent(part)
  }
  if (rest !== '') throw new Error(`the stream ended within an event: ${rest}`)
}

/** Reads all events of a response. */
export async function collectEvents(response: Response): Promise<ServerEvent[]> {
  const events: ServerEvent[] = []
  for await (const event of readEvents(response)) events.push(event)
  return events
}

/** All the text that events carry. */
export function textOf(events: readonly ServerEvent[]): string {
  return events.map(({ data }) => (data.delta?.type === 'text_delta' ? data.delta.text : '')).join('')
}

/** An event must be exactly a name and one line of data, as Anthropic's are. */
function parseEvent(text: string): ServerEvent {
  const [, event, json] = /^event: (\w+)\ndata: ([^\n]*)$/.exec(text) ?? []
  if (event === undefined || json === undefined) throw new Error(`not an event: ${text}`)
  const data = JSON.parse(json) as EventData
  if (data.type !== event) throw new Error(`event ${event} holds the type ${data.type}`)
  return { event, data }
}
