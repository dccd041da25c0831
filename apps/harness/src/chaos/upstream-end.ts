import {
  amazonQ,
  AnswerReader,
  anthropic,
  type DialectName,
  gemini,
  openaiChat,
  openaiResponses,
  plainReply,
  registry,
  SILENT_SINK,
} from '@hydra/core'
import { eventsIn } from './found-events.ts'
import { endOfFrames } from './frame-end.ts'
import { endOfGemini } from './gemini-end.ts'

/** What an upstream's body says about its own end. */
export interface UpstreamEnd {
  /** After how many bytes the upstream has said that it is finished, `Infinity` if it never does. */
  readonly at: number
  /** Whether something of the answer follows nevertheless: then nobody can know that the end was not one. */
  readonly isFollowed: boolean
  /** Whether what follows says that the answer was not whole after all. */
  readonly isTakenBack?: boolean
}

/** Where an upstream ends, by readers that share nothing with the decoders, so that they do not believe what they check. */
const ORACLES: ReadonlyMap<DialectName, (bytes: Uint8Array) => UpstreamEnd> = new Map([
  [anthropic.name, orDocument((bytes) => endOfEvents(bytes, messagesWord))],
  [openaiChat.name, orDocument((bytes) => endOfEvents(bytes, chatWord))],
  [openaiResponses.name, orDocument((bytes) => endOfEvents(bytes, responsesWord))],
  [amazonQ.name, orDocument(endOfFrames)],
  [gemini.name, endOfGemini],
])

/** Finds the upstream's own word of its end. */
export function upstreamEndOf(bytes: Uint8Array, dialect: DialectName): UpstreamEnd {
  return ORACLES.get(dialect)?.(bytes) ?? endByDecoder(bytes, dialect)
}

/** Whether an upstream has said that its answer is whole, and said nothing else after that. */
export function endsWhole(bytes: Uint8Array, dialect: DialectName): boolean {
  const { at, isTakenBack = false } = upstreamEndOf(bytes, dialect)
  return at !== Infinity && !isTakenBack
}

/** A dialect that has no oracle is taken at its decoder's word. */
function endByDecoder(bytes: Uint8Array, dialect: DialectName): UpstreamEnd {
  const reader = readerOf(dialect)
  let at = 0
  while (at < bytes.length && !reader.finished && !reader.ended) {
    reader.push(bytes.subarray(at, at + 1))
    at += 1
  }
  if (!isWhole(bytes.subarray(0, at), dialect)) return { at: Infinity, isFollowed: false }
  const rest = Buffer.from(bytes.subarray(at)).toString('latin1').trim()
  // The blank line behind the last event says nothing, and a body may end without it.
  while (at > 0 && isWhole(bytes.subarray(0, at - 1), dialect)) at -= 1
  return { at, isFollowed: rest !== '' }
}

function isWhole(bytes: Uint8Array, dialect: DialectName): boolean {
  const reader = readerOf(dialect)
  reader.push(bytes)
  if (!reader.ended) reader.end()
  return reader.failure === undefined
}

function readerOf(dialect: DialectName): AnswerReader {
  const upstream = registry.upstream(dialect)
  const reply = plainReply('', upstream.defaultProfile)
  return new AnswerReader({ upstream, reply, messageId: 'ended' }, SILENT_SINK)
}

/** Dialects whose answers may come as one document instead. */
function orDocument(oracle: (bytes: Uint8Array) => UpstreamEnd): (bytes: Uint8Array) => UpstreamEnd {
  return (bytes) => {
    const text = Buffer.from(bytes).toString('latin1')
    return /^[\s\u00EF\u00BB\u00BF]*[{[]/.test(text) ? endOfDocument(text) : oracle(bytes)
  }
}

function endOfEvents(bytes: Uint8Array, says: (data: string) => Word): UpstreamEnd {
  const text = Buffer.from(bytes).toString('latin1')
  let at = Infinity
  for (const { data, end } of eventsIn(text)) {
    const { isEnd, isContent } = says(data)
    if (isContent && at !== Infinity) return { at, isFollowed: true }
    if (isEnd && at === Infinity) at = end
  }
  return { at, isFollowed: false }
}

function endOfDocument(text: string): UpstreamEnd {
  try {
    JSON.parse(text.replace(/^[^{[]*/, ''))
    return { at: text.trimEnd().length, isFollowed: false }
  } catch {
    return { at: Infinity, isFollowed: false }
  }
}

interface Word {
  readonly isEnd: boolean
  readonly isContent: boolean
}

const NOTHING: Word = { isEnd: false, isContent: false }

interface Choice {
  readonly index?: unknown
  readonly finish_reason?: unknown
  readonly delta?: Readonly<Record<string, unknown>> | null
  readonly message?: unknown
}

function chatWord(data: string): Word {
  if (data.startsWith('[DONE]')) return { isEnd: true, isContent: false }
  const { choices } = (parse(data) ?? {}) as { readonly choices?: unknown }
  if (!Array.isArray(choices)) return NOTHING
  const first = (choices as (Choice | null)[]).filter((choice) => (choice?.index ?? 0) === 0)
  return {
    isEnd: first.some((choice) => Boolean(choice?.finish_reason)),
    isContent: first.some((choice) => choice !== null && speaks(choice)),
  }
}

function speaks({ delta, message }: Choice): boolean {
  if (message !== undefined) return true
  return Object.entries(delta ?? {}).some(([field, value]) => field !== 'role' && Boolean(value))
}

function messagesWord(data: string): Word {
  const { type } = (parse(data) ?? {}) as { readonly type?: unknown }
  return { isEnd: type === 'message_stop', isContent: type === 'content_block_delta' }
}

const RESPONSE_ENDS: ReadonlySet<unknown> = new Set(['completed', 'incomplete', 'failed'])

function responsesWord(data: string): Word {
  const { type } = (parse(data) ?? {}) as { readonly type?: unknown }
  const name = String(type).replace(/^response\./, '')
  return { isEnd: RESPONSE_ENDS.has(name), isContent: name.endsWith('.delta') }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data) as unknown
  } catch {
    return undefined
  }
}
