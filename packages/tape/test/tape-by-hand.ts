import type { Tape, TapedAnswer, TapedExchange, TapedRequest } from '../src/format/tape.ts'

/** What a test says about a recorded answer; times in milliseconds after the request. */
export interface TestAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly chunks?: readonly (string | Uint8Array)[]
  /** The gap before the head and each chunk, in milliseconds. */
  readonly gap?: number
  readonly ended?: TapedAnswer['ended']
  readonly abortedBy?: 'client' | 'upstream' | 'proxy'
}

/** What a test says about a recorded call. */
export interface TestCall {
  readonly body: unknown
  readonly answer: TestAnswer
  readonly path?: string
  readonly method?: string
}

/** The headers of a stream of events. */
export const EVENT_STREAM: Readonly<Record<string, string>> = { 'content-type': 'text/event-stream' }

/** A tape by hand: each call is an exchange of its own, and the client's leg says the same. */
export function tapeByHand(...calls: readonly TestCall[]): Tape {
  return {
    folder: 'by-hand',
    header: { tape: 1, tool: 'test/1', started: '2026-01-01T00:00:00.000Z', redaction: 'none' },
    exchanges: calls.map(exchangeOf),
    problems: [],
  }
}

function exchangeOf(call: TestCall, index: number): TapedExchange {
  const at = index * 1_000_000
  const request = requestOf(call, at)
  const answer = answerOf(call.answer, at)
  const { abortedBy } = call.answer
  return {
    number: index + 1,
    request,
    calls: [{ request, via: undefined, answer }],
    answer,
    notes: [],
    usage: undefined,
    moments:
      abortedBy === undefined
        ? []
        : [{ at: at + 500_000, leg: '', line: 1, event: [1, 0, index + 1, '', 'abort', { by: abortedBy }] }],
    end: call.answer.ended === 'open' ? undefined : { outcome: 'answered', hashes: {} },
  }
}

function requestOf(
  { body, path = '/v1/chat/completions', method = 'POST' }: TestCall,
  at: number,
): TapedRequest {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { method, path, headers: {}, body: Buffer.from(text), at }
}

function answerOf(answer: TestAnswer, at: number): TapedAnswer {
  const { status, headers = {}, chunks = [], gap = 0, ended = 'clean' } = answer
  return {
    status,
    headers,
    at: status === undefined ? undefined : at + gap * 1000,
    chunks: chunks.map((bytes, index) => ({
      at: at + (index + 2) * gap * 1000,
      bytes: Buffer.from(bytes),
    })),
    ended,
  }
}
