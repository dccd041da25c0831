import { Buffer } from 'node:buffer'
import {
  anthropic,
  type HubUsage,
  type Note,
  openaiChat,
  plainReply,
  profiles,
  translateStream,
} from '@hydra/core'
import type { Moment, Tape, TapedAnswer, TapedExchange, TapedRequest, TapeLine } from '@hydra/tape'
import { chunk, DONE, finishChunk, usageChunk } from './upstream/chunks.ts'

/** What one exchange of a tape for the viewer is made of. */
export interface Scene {
  readonly number?: number
  readonly messages?: readonly unknown[]
  readonly body?: string
  readonly request?: object
  /** The upstream's events; what is no text is written as JSON. */
  readonly events?: readonly unknown[]
  readonly status?: number
  readonly refusal?: string
  readonly ended?: TapedAnswer['ended']
  readonly notes?: readonly Note[]
  readonly usage?: HubUsage
  readonly lines?: readonly TapeLine[]
  readonly outcome?: 'answered' | 'failed' | 'aborted' | 'interrupted'
  /** Microseconds between two chunks, one for all or one for each. */
  readonly pace?: number | readonly number[]
}

/** The events of a model that thinks, speaks and calls a tool. */
export function spoken(parts: {
  readonly thinking?: string
  readonly text?: readonly string[]
  readonly call?: { readonly name: string; readonly input: object }
}): unknown[] {
  const call = parts.call
  return [
    chunk({ role: 'assistant', content: '' }),
    ...(parts.thinking === undefined ? [] : [chunk({ reasoning_content: parts.thinking })]),
    ...(parts.text ?? []).map((content) => chunk({ content })),
    ...(call === undefined
      ? []
      : [
          chunk({
            tool_calls: [
              {
                index: 0,
                id: 'call_1',
                type: 'function',
                function: { name: call.name, arguments: JSON.stringify(call.input) },
              },
            ],
          }),
        ]),
    finishChunk(call === undefined ? 'stop' : 'tool_calls'),
    usageChunk(),
    DONE,
  ]
}

/** An exchange in which the translator really made the client's leg out of the upstream's. */
export function sceneExchange(scene: Scene): TapedExchange {
  const { number = 1, outcome = 'answered', ended = 'clean' } = scene
  const start = number * 10_000_000
  const client = requestAt(start, '/v1/messages?beta=true', clientBody(scene))
  const upstream = requestAt(start + 3000, '/v1/chat/completions', upstreamBody(scene))
  const heard = upstreamAnswer(scene, start + 3000)
  const told = translated(heard)
  const over = Math.max(heard.at ?? 0, heard.chunks.at(-1)?.at ?? 0) + 400
  const lines: readonly (readonly [number, TapeLine])[] = [
    [start, [1, 0, number, 'c>', 'req', { method: 'POST', path: client.path, headers: {} }]],
    ...(scene.lines ?? []).map((line) => [start + 2000, line] as const),
    [
      over,
      [2, 0, number, '', 'end', { outcome: outcome === 'interrupted' ? 'failed' : outcome, hashes: {} }],
    ],
  ]
  return {
    number,
    request: client,
    calls: [
      {
        request: upstream,
        via: {
          upstream: 'demo',
          dialect: 'openai-chat',
          model: 'gpt-test',
          toldModel: 'claude-test',
          profile: 'generic',
        },
        answer: heard,
      },
    ],
    answer: { ...told, ended },
    notes: scene.notes ?? [],
    usage: scene.usage,
    moments: lines.map(([at, line], index): Moment => ({
      at,
      leg: line[3],
      line: index + 2,
      event: line,
    })),
    end: outcome === 'interrupted' ? undefined : { outcome, hashes: {} },
  }
}

/** A tape of such exchanges. */
export function sceneTape(name: string, scenes: readonly Scene[]): Tape {
  return {
    folder: `/tapes/${name}`,
    header: {
      tape: 1,
      tool: 'hydra/test',
      started: '2026-01-01T12:00:00.000Z',
      client: 'claude-cli/2.1.325',
      session: 'a-session',
      redaction: 'default-1',
    },
    exchanges: scenes.map((scene, index) => sceneExchange({ number: index + 1, ...scene })),
    problems: [],
  }
}

function clientBody({ body, messages, request }: Scene): string {
  return (
    body ??
    JSON.stringify({
      model: 'claude-test',
      max_tokens: 1000,
      stream: true,
      messages: messages ?? [{ role: 'user', content: 'Hi' }],
      ...request,
    })
  )
}

function upstreamBody({ messages }: Scene): string {
  return JSON.stringify({
    model: 'gpt-test',
    stream: true,
    messages: messages ?? [{ role: 'user', content: 'Hi' }],
  })
}

function requestAt(at: number, path: string, body: string): TapedRequest {
  return {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(body),
    at,
  }
}

function upstreamAnswer(scene: Scene, called: number): TapedAnswer {
  const { status = 200, refusal, pace = 40_000, ended = 'clean' } = scene
  const events = scene.events ?? spoken({ text: ['Hello', ' there.'] })
  const texts =
    refusal === undefined
      ? events.map((data) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
      : [refusal]
  let at = called + 250_000
  return {
    status,
    headers: { 'content-type': refusal === undefined ? 'text/event-stream' : 'application/json' },
    at,
    chunks: texts.map((text, index) => {
      at += typeof pace === 'number' ? pace : (pace[index] ?? 40_000)
      return { at, bytes: Buffer.from(text) }
    }),
    ended,
  }
}

function translated(heard: TapedAnswer): TapedAnswer {
  const translator = translateStream({
    client: anthropic.client,
    clientReply: {},
    upstream: openaiChat.upstream,
    reply: plainReply('claude-test', profiles.generic),
    messageId: 'msg_1',
  })
  const pieces = heard.chunks.map(({ at, bytes }) => ({ at: at + 300, text: translator.push(bytes) }))
  if (heard.ended === 'clean')
    pieces.push({ at: (heard.chunks.at(-1)?.at ?? 0) + 350, text: translator.end() })
  const chunks = pieces.filter(({ text }) => text !== '')
  return {
    status: heard.status,
    headers: heard.headers,
    at: heard.at,
    chunks: chunks.map(({ at, text }) => ({ at, bytes: Buffer.from(text) })),
    ended: heard.ended,
  }
}
