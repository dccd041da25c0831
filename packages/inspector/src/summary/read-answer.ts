import {
  AnswerReader,
  BlockCollector,
  type HubError,
  type HubStop,
  type HubUsage,
  plainReply,
  type Profile,
  registry,
  type UpstreamDialect,
} from '@hydra/core'
import {
  callerOf,
  askedEndpoint,
  profileOf,
  type TapedAnswer,
  type TapedCall,
  type TapedExchange,
} from '@hydra/tape'
import type { Utterance } from './session-summary.ts'
import { utterancesOf } from './utterances-of.ts'

/** What an answer says, read as its dialect is read on the wire. */
export interface AnswerReading {
  readonly utterances: readonly Utterance[]
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
  /** Undefined for a dialect without a reader: then the body is shown as it is. */
  readonly dialect: UpstreamDialect | undefined
  readonly profile: Profile | undefined
}

/** The form of the answer that a client of the proxy gets; without its request it is taken for a message. */
export function clientForm(exchange: TapedExchange): AnswerForm {
  const { dialect: name, endpoint } = callerOf(exchange)
  const path = exchange.request?.path
  const purpose =
    endpoint?.purpose ?? (path === undefined ? 'generate' : askedEndpoint(path)?.endpoint.purpose)
  const dialect = registry.get(name)?.upstream
  return { isMessage: purpose === 'generate', dialect, profile: dialect?.defaultProfile }
}

/** The form of an upstream's answers, by what the tape says of the call, or else by the path that was called. */
export function upstreamForm({ via, request }: Pick<TapedCall, 'via' | 'request'>): AnswerForm {
  const found = askedEndpoint(request.path)
  const said = via === undefined ? undefined : registry.get(via.dialect)?.upstream
  const guessed = found === undefined ? undefined : registry.get(found.dialect)?.upstream
  const dialect = said ?? guessed
  const profile = via === undefined ? undefined : profileOf(via)
  return {
    // Providers have paths of their own; only a call that went through unchanged can have asked for anything else.
    isMessage: found?.endpoint.purpose === 'generate' || (via !== undefined && via.passthrough !== true),
    dialect,
    // A profile that is gone since the recording does not keep anybody from looking at it.
    profile: typeof profile === 'object' ? profile : dialect?.defaultProfile,
  }
}

/** Reads an answer chunk by chunk. Bytes that are no answer give a failure, never an exception. */
export function readAnswer(answer: TapedAnswer, form: AnswerForm): AnswerReading {
  try {
    const { isMessage, dialect, profile } = form
    if (dialect === undefined || profile === undefined) return readBody(answer)
    if (isRefusal(answer)) return readRefusal(answer, dialect)
    return isMessage ? readMessage(answer, dialect, profile) : readBody(answer)
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

function readRefusal(answer: TapedAnswer, dialect: UpstreamDialect): AnswerReading {
  const { status = 0, headers } = answer
  const failure = dialect.decodeError({ status, headers, body: bodyText(answer) })
  return { ...NOTHING, failure: wordsOf(failure), whole: answer.ended === 'clean' }
}

function reasonOf(stop: HubStop | undefined): string | undefined {
  return stop?.stop_reason ?? undefined
}

function wordsOf({ kind, message }: HubError): string {
  return `${kind}: ${message}`
}

const NOTHING: AnswerReading = {
  utterances: [],
  stopReason: undefined,
  usage: undefined,
  failure: undefined,
  whole: false,
  firstToken: undefined,
}

function readBody(answer: TapedAnswer): AnswerReading {
  const text = bodyText(answer)
  const utterances: Utterance[] = text === '' ? [] : [{ who: 'server', kind: 'other', text }]
  return { ...NOTHING, utterances, whole: answer.ended === 'clean' }
}

function readMessage(answer: TapedAnswer, dialect: UpstreamDialect, profile: Profile): AnswerReading {
  const collector = new BlockCollector()
  const reply = plainReply('', profile)
  const reader = new AnswerReader({ upstream: dialect, reply, messageId: 'shown' }, collector)
  let firstToken: number | undefined
  for (const { at, bytes } of answer.chunks) {
    reader.push(bytes)
    if (collector.hasBlocks) firstToken ??= at
  }
  if (answer.ended === 'clean') {
    reader.end()
    if (collector.hasBlocks) firstToken ??= answer.chunks.at(-1)?.at
  }
  const { failure, stop, usage, blocks } = collector
  return {
    utterances: utterancesOf(blocks),
    stopReason: reasonOf(stop),
    // An upstream that did not count is not made to look as if it had.
    usage: reader.summary.isEstimated ? undefined : usage,
    failure: failure && wordsOf(failure),
    whole: reader.ended && failure === undefined,
    firstToken,
  }
}
