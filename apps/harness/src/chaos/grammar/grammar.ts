import { anthropic, type DialectName, gemini, openaiChat, openaiResponses } from '@hydra/core'
import { hearAnswer } from '../heard-answer.ts'
import { checkChatGrammar } from './chat.ts'
import { geminiGrammar } from './gemini.ts'
import { checkMessagesGrammar } from './messages.ts'
import { checkResponsesGrammar } from './responses.ts'

/** What a stream came to: its end, or what is illegal about it. */
export type GrammarResult = { readonly end: 'clean' | 'error' } | { readonly violation: string }

/** What is legal in a dialect of clients. */
export interface ClientGrammar {
  /** A stream that was asked for at a path; with its query, where the form may be said. */
  stream(output: string, path: string): GrammarResult
  /** An answer in one body. */
  whole?(body: string): GrammarResult
  /** Whether an error, and nothing else, is what a stream ends with behind its whole events. */
  isError?(rest: string): boolean
  /** What is wrong with the body of an error, which is JSON. */
  refusal?(status: number, body: unknown): string | undefined
}

/** Oracles that share nothing with the translators, so that they cannot share a mistake. */
const ORACLES: ReadonlyMap<DialectName, ClientGrammar> = new Map<DialectName, ClientGrammar>([
  [anthropic.name, { stream: checkMessagesGrammar }],
  [openaiChat.name, { stream: checkChatGrammar }],
  [openaiResponses.name, { stream: checkResponsesGrammar }],
  [gemini.name, geminiGrammar],
])

/** Who asked for an answer, and how. */
export interface Asked {
  readonly dialect: DialectName
  readonly path: string
}

/** Checks a client's stream: with an oracle of its own where its dialect has one, and by reading it. */
export function checkGrammar(output: string, { dialect, path }: Asked): GrammarResult {
  const result = ORACLES.get(dialect)?.stream(output, path)
  if (result !== undefined && 'violation' in result) return result
  const heard = readGrammar(output, dialect)
  if (heard === undefined || result === undefined) return heard ?? result ?? UNREAD
  if ('violation' in heard || heard.end === result.end) return heard
  return { violation: `it ends ${result.end}, but who reads it takes it for ${heard.end}` }
}

/** What is wrong with an answer in one body, as far as its dialect has an oracle. */
export function wholeFault(body: string, dialect: DialectName): string | undefined {
  const result = ORACLES.get(dialect)?.whole?.(body)
  if (result === undefined) return undefined
  if ('violation' in result) return result.violation
  return result.end === 'clean' ? undefined : 'the body is an error'
}

/** Whether what stands behind the whole events of a stream is an error and nothing else; undefined if nobody knows. */
export function tellsError(rest: string, dialect: DialectName): boolean | undefined {
  const isError = ORACLES.get(dialect)?.isError?.(rest)
  if (isError !== undefined) return isError
  const heard = hearAnswer(rest, dialect)
  if (heard === undefined) return undefined
  const isTold = heard.ended === 'failed' && heard.failure?.message !== '' && heard.blocks.length === 0
  return isTold
}

/** What is wrong with the body of an error, as far as its dialect has an oracle. */
export function refusalFault(
  { status, body }: { readonly status: number; readonly body: unknown },
  dialect: DialectName,
): string | undefined {
  return ORACLES.get(dialect)?.refusal?.(status, body)
}

const UNREAD: GrammarResult = { violation: 'nobody reads this dialect' }

/** Every reader of the dialect must come to the same end. */
function readGrammar(output: string, dialect: DialectName): GrammarResult | undefined {
  const heard = hearAnswer(output, dialect)
  if (heard === undefined) return undefined
  if (heard.ended === 'open') return { violation: 'it has no end' }
  return { end: heard.ended === 'clean' ? 'clean' : 'error' }
}
