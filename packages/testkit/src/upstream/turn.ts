import type { CompletionUsage } from 'openai/resources/completions'
import {
  argumentsChunk,
  callChunk,
  chunk,
  DONE,
  finishChunk,
  textChunk,
  USAGE,
  usageChunk,
} from './chunks.ts'
import type { SeenRequest } from './seen-request.ts'
import { body, type Ending, event, head, JSON_BODY, type Step } from './step.ts'

/** What the upstream does with one request; an async generator may wait for the test between its steps. */
export type Turn = (request: SeenRequest) => Iterable<Step> | AsyncIterable<Step>

/** A tool call of a scripted answer. */
export interface ScriptedCall {
  readonly name: string
  readonly arguments: object | string
  readonly id?: string
}

/** What a scripted answer says. */
export interface ScriptedAnswer {
  readonly reasoning?: string
  readonly text?: string
  readonly calls?: readonly ScriptedCall[]
  readonly finish?: 'stop' | 'length' | 'tool_calls' | 'content_filter'
  readonly usage?: CompletionUsage
  /** How many characters one chunk carries. */
  readonly piece?: number
}

/** Answers as the request asks for it: as a stream of chunks, or as one completion. */
export function answer(content: ScriptedAnswer): Turn {
  return (request) => (request.body.stream === true ? streamed(content, request) : whole(content))
}

/** Refuses with a status and an error, or with a body as it is. */
export function refuse(
  status: number,
  error: object | string,
  headers: Readonly<Record<string, string>> = JSON_BODY,
): Turn {
  const text = typeof error === 'string' ? error : JSON.stringify({ error })
  return () => [head(status, { ...JSON_BODY, ...headers }), body(text)]
}

/** Plays exactly these steps. */
export function play(...steps: readonly Step[]): Turn {
  return () => steps
}

/** Answers with a stream of exactly these events; what is not a text is written as JSON. */
export function events(...data: readonly unknown[]): Turn {
  return play(head(), ...data.map(event))
}

/** Plays a turn, and ends the connection once so many bytes are on the wire, headers included. */
export function cutAt(turn: Turn, bytes: number, by: Ending = 'reset'): Turn {
  return async function* cutTurn(request) {
    yield { do: 'limit', bytes, by }
    yield* turn(request)
  }
}

function* streamed(content: ScriptedAnswer, { body: request }: SeenRequest): Generator<Step> {
  const size = content.piece ?? 7
  yield head()
  yield event(chunk({ role: 'assistant', content: '' }))
  for (const piece of pieces(content.reasoning, size)) yield event(chunk({ reasoning_content: piece }))
  for (const piece of pieces(content.text, size)) yield event(textChunk(piece))
  for (const [index, call] of (content.calls ?? []).entries()) {
    yield event(callChunk(index, idOf(call, index), call.name))
    for (const piece of pieces(textOf(call), size)) yield event(argumentsChunk(index, piece))
  }
  yield event(finishChunk(finishOf(content)))
  if (request.stream_options?.include_usage) yield event(usageChunk(content.usage))
  yield event(DONE)
}

function whole(content: ScriptedAnswer): Step[] {
  const calls = (content.calls ?? []).map((call, index) => ({
    id: idOf(call, index),
    type: 'function',
    function: { name: call.name, arguments: textOf(call) },
  }))
  const message = {
    role: 'assistant',
    content: content.text ?? null,
    ...(content.reasoning !== undefined && { reasoning_content: content.reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  const completion = {
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(content) }],
    usage: content.usage ?? USAGE,
  }
  return [head(200, JSON_BODY), body(JSON.stringify(completion))]
}

function idOf({ id, name }: ScriptedCall, index: number): string {
  return id ?? `call_${name}_${index}`
}

function textOf({ arguments: given }: ScriptedCall): string {
  return typeof given === 'string' ? given : JSON.stringify(given)
}

function finishOf({ finish, calls = [] }: ScriptedAnswer): NonNullable<ScriptedAnswer['finish']> {
  return finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')
}

function* pieces(text: string | undefined, size: number): Generator<string> {
  for (let at = 0; at < (text ?? '').length; at += size) yield (text ?? '').slice(at, at + size)
}
