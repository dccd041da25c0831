import { isJsonObject, splitEvents } from '@hydra/core'
import { type TapedAnswer } from '@hydra/tape'
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

/** The fields that hold ids: of the message, and those that are made from it for calls and items without their own. */
const ID_FIELD = /(?:^|_)id$/

/** What a server adds to an answer that says when and by whom it was made. */
const OF_THE_MOMENT: ReadonlySet<string> = new Set([
  'request_id',
  'created',
  'created_at',
  'completed_at',
  'system_fingerprint',
])

/** What comes before the unique part of an id: `msg_`, `chatcmpl-`, `resp_`. */
const ID_PREFIX = /^[a-z]+[_-]/

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
  return name !== 'ping' && !(isJsonObject(data) && data['type'] === 'ping')
}

function withoutIdsOfEvent({ name, data }: ParsedEvent, id: string | undefined): ParsedEvent {
  return { name, data: withoutIds(data, id) }
}

function withoutIds(data: unknown, id: string | undefined = messageIdOf(data)): unknown {
  return withoutMessageId(withoutMoment(data), id?.replace(ID_PREFIX, ''))
}

/** Only the answer itself and what it wraps have such fields of the server's; deeper ones are content. */
function withoutMoment(data: unknown, depth = 0): unknown {
  if (!isJsonObject(data)) return data
  const fields = Object.entries(data).filter(([name]) => !OF_THE_MOMENT.has(name))
  if (depth > 0) return Object.fromEntries(fields)
  return Object.fromEntries(fields.map(([name, value]) => [name, withoutMoment(value, 1)]))
}

/** The id of the answer: its own, or that of the one thing that an event of it wraps. */
function messageIdOf(data: unknown): string | undefined {
  if (!isJsonObject(data)) return undefined
  const owner = [data, ...Object.values(data)].find((value) => isJsonObject(value) && hasId(value))
  return owner === undefined ? undefined : String((owner as Readonly<Record<string, unknown>>)['id'])
}

function hasId({ id }: Readonly<Record<string, unknown>>): boolean {
  return typeof id === 'string' && id !== ''
}

function withoutMessageId(value: unknown, unique: string | undefined): unknown {
  if (unique === undefined || unique === '') return value
  if (Array.isArray(value)) return value.map((item) => withoutMessageId(item, unique))
  if (!isJsonObject(value)) return value
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    typeof field === 'string' && ID_FIELD.test(name)
      ? field.replace(unique, '(message id)')
      : withoutMessageId(field, unique),
  ])
  return Object.fromEntries(fields) as Record<string, unknown>
}
