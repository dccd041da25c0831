import { type DialectName, registry, Router } from '@hydra/core'
import { CHAT_EVENTS, GEMINI_EVENTS, MESSAGES_EVENTS, RESPONSES_EVENTS } from './golden-events.ts'

/** What a client understands of a stream that it has read. */
export interface Reading {
  readonly text: string
  /** The stream says that it is complete. */
  readonly isWhole: boolean
  /** The stream says that it has failed. */
  readonly isFailed: boolean
}

/** A client of one dialect, and what a provider of that dialect answers. */
export interface Client {
  readonly name: string
  /** The golden answer as such a provider streams it. */
  readonly events: readonly string[]
  path(model: string, stream: boolean): string
  body(model: string, stream: boolean): object
  /** Reads a stream as strictly as its dialect asks for. */
  read(stream: string): Reading
}

const HELLO = [{ role: 'user', content: 'Hi' }]

const MESSAGES: Client = {
  name: 'Messages',
  events: MESSAGES_EVENTS,
  path: () => '/v1/messages',
  body: (model, stream) => ({ model, stream, max_tokens: 100, messages: HELLO }),
  read: (stream) => ({
    text: textOf(stream, ({ delta }) => delta?.['text']),
    isWhole: stream.includes('event: message_stop\n'),
    isFailed: stream.includes('event: error\n'),
  }),
}

const CHAT: Client = {
  name: 'Chat',
  events: CHAT_EVENTS,
  path: () => '/v1/chat/completions',
  body: (model, stream) => ({ model, stream, messages: HELLO }),
  read: (stream) => ({
    text: textOf(stream, ({ choices }) => choices?.[0]?.delta?.['content']),
    isWhole: stream.includes('data: [DONE]\n'),
    isFailed: eventsOf(stream).some(({ error }) => error !== undefined),
  }),
}

const RESPONSES: Client = {
  name: 'Responses',
  events: RESPONSES_EVENTS,
  path: () => '/v1/responses',
  body: (model, stream) => ({ model, stream, input: 'Hi', store: false }),
  read: (stream) => ({
    text: textOf(stream, ({ type, delta }) => (type === 'response.output_text.delta' ? delta : undefined)),
    isWhole: stream.includes('event: response.completed\n'),
    isFailed: stream.includes('event: response.failed\n'),
  }),
}

const GEMINI: Client = {
  name: 'Gemini',
  events: GEMINI_EVENTS,
  path: (model, stream) =>
    `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  body: () => ({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }),
  read: (stream) => ({
    text: textOf(stream, ({ candidates }) =>
      candidates?.[0]?.content?.parts?.map(({ text = '' }) => text).join(''),
    ),
    isWhole: eventsOf(stream).some(({ candidates }) => candidates?.[0]?.finishReason !== undefined),
    isFailed: eventsOf(stream).some(({ error }) => error !== undefined),
  }),
}

/** The clients of all dialects. */
export const CLIENTS: readonly Client[] = [MESSAGES, CHAT, RESPONSES, GEMINI]

const router = new Router(registry)

/** The dialect that a client speaks. */
export function dialectOf(client: Client): DialectName {
  const [path = ''] = client.path('m', true).split('?')
  return router.find({ method: 'POST', path, headers: {} }).dialect
}

interface Event {
  readonly type?: string
  readonly error?: unknown
  readonly delta?: Readonly<Record<string, unknown>>
  readonly choices?: readonly { readonly delta?: Readonly<Record<string, unknown>> }[]
  readonly candidates?: readonly {
    readonly finishReason?: string
    readonly content?: { readonly parts?: readonly { readonly text?: string }[] }
  }[]
}

/** The events of a stream whose data is JSON; the last one counts only if its blank line has come. */
function eventsOf(stream: string): Event[] {
  const lines = stream.replaceAll('\r\n', '\n')
  const whole = lines.slice(0, lines.lastIndexOf('\n\n') + 2)
  return [...whole.matchAll(/^data: (\{.*\})$/gm)].map(([, data = '']) => JSON.parse(data) as Event)
}

function textOf(stream: string, piece: (event: Event) => unknown): string {
  return eventsOf(stream)
    .map(piece)
    .filter((text) => typeof text === 'string')
    .join('')
}
