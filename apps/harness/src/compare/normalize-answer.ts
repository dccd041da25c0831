import { isRecord, splitEvents, type TapedAnswer } from '@hydra/tape'
import { parseData, parseEvent, type ParsedEvent } from './parse-event.ts'

/** An answer as it can be compared: of a tape, or one that just came. */
export interface Answer extends Pick<TapedAnswer, 'status' | 'headers' | 'ended'> {
  readonly chunks: readonly { readonly bytes: Uint8Array }[]
}

/** An answer without what is different in every run. */
export interface NormalAnswer {
  readonly status: number | undefined
  /** Only those that say what the answer means to a client. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: NormalBody
  /** Whether it ended as its protocol ends; how exactly it was cut off is not compared. */
  readonly end: 'clean' | 'cut off'
}

/** A body: events and what follows the last of them, or one value. */
export type NormalBody =
  | { readonly events: readonly ParsedEvent[]; readonly rest: string }
  | { readonly value: unknown }

/** The headers that a client acts upon; the others tell of the server, the moment or the connection. */
const COMPARED_HEADERS: ReadonlySet<string> = new Set([
  'content-type',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
])

/** The fields that hold ids. A call that its upstream gave no id has one that is made from the message's. */
const ID_FIELDS: ReadonlySet<string> = new Set(['id', 'tool_use_id', 'tool_call_id'])

/** Takes out of an answer what is different in every run: the ids of message and request, pings, times. */
export function normalizeAnswer({ status, headers, chunks, ended }: Answer): NormalAnswer {
  const bytes = Buffer.concat(chunks.map((chunk) => chunk.bytes))
  return {
    status,
    headers: comparedHeaders(headers),
    body: isEventStream(headers) ? eventsOf(bytes) : { value: withoutIds(parseData(bytes.toString())) },
    end: ended === 'clean' ? 'clean' : 'cut off',
  }
}

function isEventStream(headers: Answer['headers']): boolean {
  return /^text\/event-stream\b/i.test(headers['content-type'] ?? '')
}

function comparedHeaders(headers: Answer['headers']): Record<string, string> {
  const compared = Object.entries(headers).filter(([name]) => COMPARED_HEADERS.has(name))
  return Object.fromEntries(compared.map(([name, value]) => [name, value.toLowerCase().replaceAll(' ', '')]))
}

function eventsOf(bytes: Uint8Array): NormalBody {
  const texts = splitEvents(bytes).map((piece) => Buffer.from(piece).toString())
  const last = texts.at(-1)
  // What the connection lost the end of is no event, and not to be read as one.
  const rest = last === undefined || /(?:\r\n|\r|\n){2}$/.test(last) ? '' : (texts.pop() ?? '')
  const events = texts.map(parseEvent).filter((event) => event !== undefined)
  const ids = events.map(({ data }) => messageIdOf(data))
  const id = ids.find((found) => found !== undefined)
  return { events: events.filter(isNoPing).map((event) => withoutIdsOfEvent(event, id)), rest }
}

function isNoPing({ name, data }: ParsedEvent): boolean {
  return name !== 'ping' && !(isRecord(data) && data['type'] === 'ping')
}

function withoutIdsOfEvent({ name, data }: ParsedEvent, id: string | undefined): ParsedEvent {
  return { name, data: withoutIds(data, id) }
}

function withoutIds(data: unknown, id: string | undefined = messageIdOf(data)): unknown {
  if (!isRecord(data)) return data
  const fields = Object.entries(data).filter(([name]) => !isOfTheMoment(name, data))
  return withoutMessageId(Object.fromEntries(fields), id)
}

/** What a server adds to the whole of an answer or an event. */
function isOfTheMoment(name: string, { object }: Readonly<Record<string, unknown>>): boolean {
  if (name === 'request_id') return true
  const isChat = typeof object === 'string' && object.startsWith('chat.completion')
  return isChat && (name === 'created' || name === 'system_fingerprint')
}

function messageIdOf(data: unknown): string | undefined {
  if (!isRecord(data)) return undefined
  const isMessage = data['type'] === 'message' || String(data['object']).startsWith('chat.completion')
  const owner = isMessage ? data : data['message']
  return isRecord(owner) && typeof owner['id'] === 'string' && owner['id'] !== '' ? owner['id'] : undefined
}

function withoutMessageId(value: unknown, id: string | undefined): unknown {
  if (id === undefined) return value
  if (Array.isArray(value)) return value.map((item) => withoutMessageId(item, id))
  if (!isRecord(value)) return value
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    typeof field === 'string' && ID_FIELDS.has(name)
      ? field.replace(id, '(message id)')
      : withoutMessageId(field, id),
  ])
  return Object.fromEntries(fields) as Record<string, unknown>
}
