import { Buffer } from 'node:buffer'
import type { HubError } from '@hydra/core'
import type {
  Leg,
  Moment,
  Tape,
  TapedAnswer,
  TapedCall,
  TapedExchange,
  TapedRequest,
  TapeLine,
  Via,
} from '@hydra/tape'
import { chunk, DONE, finishChunk, textChunk, usageChunk } from '@hydra/testkit'

/** What differs from the usual exchange: one call of a chat upstream that answers with events. */
export interface ExchangeChanges {
  readonly number?: number
  readonly request?: object
  readonly via?: Partial<Via>
  /** The pieces of the upstream's body. */
  readonly pieces?: readonly (string | Uint8Array)[]
  readonly status?: number | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly ended?: TapedAnswer['ended']
  readonly moments?: readonly TapeLine[]
  readonly outcome?: 'answered' | 'failed' | 'aborted' | 'interrupted'
}

/** The events of an upstream that says some words. */
export function saying(...words: readonly string[]): string[] {
  return [
    chunk({ role: 'assistant', content: '' }),
    ...words.map(textChunk),
    finishChunk(),
    usageChunk(),
    DONE,
  ].map(event)
}

/** One event, as an upstream sends it. */
export function event(data: unknown): string {
  return `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}

/** The request of every exchange, unless it says otherwise. */
export const REQUEST = {
  model: 'claude-test',
  max_tokens: 100,
  stream: true,
  messages: [{ role: 'user', content: 'Hi' }],
} as const

/** How every upstream is called, unless an exchange says otherwise. */
export const VIA: Via = {
  upstream: 'up',
  dialect: 'openai-chat',
  model: 'm',
  toldModel: 'claude-test',
  profile: 'generic',
  messageId: 'msg_1',
}

/** What the upstream is sent for `REQUEST`. */
export const UPSTREAM_REQUEST = {
  model: 'm',
  max_tokens: 100,
  stream: true,
  stream_options: { include_usage: true },
  messages: [{ role: 'user', content: 'Hi' }],
} as const

/** An exchange as a reader gives it. */
export function exchange(changes: ExchangeChanges = {}): TapedExchange {
  const { number = 1, moments = [], outcome = 'answered' } = changes
  return {
    number,
    request: requestOf('/v1/messages?beta=true', { ...REQUEST, ...changes.request }),
    calls: [callOf(changes)],
    answer: answerOf({ pieces: [] }),
    notes: [],
    usage: undefined,
    moments: moments.map((line): Moment => ({ at: 0, leg: '', line: 1, event: line })),
    end: outcome === 'interrupted' ? undefined : { outcome, hashes: {} },
  }
}

/** A call as a reader gives it. */
export function callOf(changes: ExchangeChanges): TapedCall {
  return {
    request: requestOf('/v1/chat/completions', UPSTREAM_REQUEST),
    via: { ...VIA, ...changes.via },
    answer: answerOf({ pieces: saying('Hello', ' there'), status: 200, ...changes }),
  }
}

/** The line that says who gave up. */
export function abortLine(by: 'client' | 'upstream' | 'proxy', reason?: string): TapeLine {
  const leg: Leg = by === 'client' ? 'c>' : 'u>'
  return [1, 0, 1, leg, 'abort', { by, ...(reason !== undefined && { reason }) }]
}

/** A tape as a reader gives it. */
export function tapeOf(folder: string, ...exchanges: readonly TapedExchange[]): Tape {
  const header = {
    tape: 1,
    tool: 'hydra/test',
    started: '2026-01-01T00:00:00.000Z',
    redaction: 'none',
  } as const
  return { folder, header, exchanges, problems: [] }
}

/** The text of an error, as the last event of a stream. */
export function errorEvent({ message }: Pick<HubError, 'message'>): string {
  const error = { type: 'overloaded_error', message: `Overloaded: ${message}` }
  return `event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`
}

function requestOf(path: string, body: object): TapedRequest {
  return { method: 'POST', path, headers: {}, body: Buffer.from(JSON.stringify(body)), at: 0 }
}

function answerOf({ status, headers, pieces = [], ended = 'clean' }: ExchangeChanges): TapedAnswer {
  return {
    status,
    headers: headers ?? { 'content-type': 'text/event-stream' },
    at: 0,
    chunks: pieces.map((piece) => ({ at: 0, bytes: Buffer.from(piece) })),
    ended,
  }
}
