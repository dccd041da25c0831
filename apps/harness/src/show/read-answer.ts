import {
  amazonQ,
  anthropic,
  AnswerReader,
  type HubUsage,
  openaiChat,
  plainReply,
  type Profile,
  type UpstreamDialect,
} from '@hydra/core'
import { type TapedAnswer, type TapedCall, type Via, profileOf } from '@hydra/tape'
import type { Saying } from './account.ts'
import { AnswerListener } from './answer-listener.ts'

/** What an answer says, read as its dialect is read on the wire. */
export interface AnswerReading {
  readonly sayings: readonly Saying[]
  readonly stopReason: string | undefined
  readonly usage: HubUsage | undefined
  readonly failure: string | undefined
  /** It came to its own end. */
  readonly whole: boolean
  /** When the first piece of content came. */
  readonly firstToken: number | undefined
}

/** Which dialect an answer is read in, and what its provider does differently. */
export interface AnswerForm {
  /** What was asked for is a message, as opposed to a count of tokens or a list of models. */
  readonly isMessage: boolean
  readonly dialect: UpstreamDialect
  readonly profile: Profile
}

const DIALECTS: Readonly<Record<Via['dialect'], UpstreamDialect>> = {
  anthropic: anthropic.upstream,
  'openai-chat': openaiChat.upstream,
  'amazon-q': amazonQ.upstream,
}

/** Whether a path asks for a message in either dialect. */
export function asksForMessage(path: string): boolean {
  return /\/(?:messages|chat\/completions)\/?(?:\?|$)/.test(path)
}

/** The form of the answer that a client of the proxy gets; without its request it is taken for a message. */
export function clientForm(path: string | undefined): AnswerForm {
  const isMessage = path === undefined || asksForMessage(path)
  return { isMessage, dialect: anthropic.upstream, profile: anthropic.upstream.defaultProfile }
}

/** The form of an upstream's answers, by what the tape says of the call, or else by the path that was called. */
export function upstreamForm({ via, request }: Pick<TapedCall, 'via' | 'request'>): AnswerForm {
  const guessed = request.path.includes('/messages') ? 'anthropic' : 'openai-chat'
  const dialect = DIALECTS[via?.dialect ?? guessed] ?? DIALECTS[guessed]
  const profile = via === undefined ? dialect.defaultProfile : profileOf(via)
  return {
    // Providers have paths of their own; only a call that went through unchanged can have asked for anything else.
    isMessage: asksForMessage(request.path) || (via !== undefined && via.passthrough !== true),
    dialect,
    // A profile that is gone since the recording does not keep anybody from looking at it.
    profile: typeof profile === 'string' ? dialect.defaultProfile : profile,
  }
}

/** Reads an answer chunk by chunk. Bytes that are no answer give a failure, never an exception. */
export function readAnswer(answer: TapedAnswer, form: AnswerForm): AnswerReading {
  try {
    if (isRefusal(answer)) return readRefusal(answer, form)
    return form.isMessage ? readMessage(answer, form) : readBody(answer)
  } catch (error) {
    // What the tape says of its profile is as untrusted as the rest, and may be nothing a reader can be made of.
    return { ...NOTHING, failure: `unreadable: ${error instanceof Error ? error.message : String(error)}` }
  }
}

function bodyText(answer: TapedAnswer): string {
  const decoder = new TextDecoder()
  const pieces = answer.chunks.map(({ bytes }) => decoder.decode(bytes, { stream: true }))
  return pieces.join('') + decoder.decode()
}

function isRefusal({ status }: TapedAnswer): boolean {
  return status !== undefined && status >= 400
}

function readRefusal(answer: TapedAnswer, { dialect }: AnswerForm): AnswerReading {
  const { status = 0, headers } = answer
  const failure = dialect.decodeError({ status, headers, body: bodyText(answer) })
  return { ...NOTHING, failure: `${failure.kind}: ${failure.message}`, whole: answer.ended === 'clean' }
}

const NOTHING: AnswerReading = {
  sayings: [],
  stopReason: undefined,
  usage: undefined,
  failure: undefined,
  whole: false,
  firstToken: undefined,
}

function readBody(answer: TapedAnswer): AnswerReading {
  const text = bodyText(answer)
  const sayings: Saying[] = text === '' ? [] : [{ who: 'server', kind: 'other', text }]
  return { ...NOTHING, sayings, whole: answer.ended === 'clean' }
}

function readMessage(answer: TapedAnswer, { dialect, profile }: AnswerForm): AnswerReading {
  const listener = new AnswerListener()
  const reply = plainReply('', profile)
  const reader = new AnswerReader({ upstream: dialect, reply, messageId: 'msg_shown' }, listener)
  let firstToken: number | undefined
  for (const { at, bytes } of answer.chunks) {
    reader.push(bytes)
    if (listener.heard) firstToken ??= at
  }
  if (answer.ended === 'clean') {
    reader.end()
    if (listener.heard) firstToken ??= answer.chunks.at(-1)?.at
  }
  const { failure, stopReason, usage, sayings } = listener
  return {
    sayings,
    stopReason,
    // An upstream that did not count is not made to look as if it had.
    usage: reader.summary.isEstimated ? undefined : usage,
    failure: failure === undefined ? undefined : `${failure.kind}: ${failure.message}`,
    whole: reader.ended && failure === undefined,
    firstToken,
  }
}
