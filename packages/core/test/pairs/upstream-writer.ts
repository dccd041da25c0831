import type { EncodedRequest } from '../../src/dialects/dialect.ts'
import type { MeantAnswer, Pick } from './meant-answer.ts'
import { amazonQWriter } from './writers/amazon-q.ts'
import { anthropicWriter } from './writers/anthropic.ts'
import { geminiWriter } from './writers/gemini.ts'
import { openaiChatWriter } from './writers/openai-chat.ts'
import { openaiResponsesWriter } from './writers/openai-responses.ts'

/** The body of an answer as an upstream sends it. */
export interface WrittenAnswer {
  readonly bytes: Uint8Array
  /** After how many bytes the upstream has said that it is finished; a shorter body was cut off. */
  readonly end: number
  /** Whether it says what it has counted. */
  readonly counted: boolean
  /** What of the answer this upstream can say at all. */
  readonly says: MeantAnswer
}

/** What an upstream finds in a request of earlier turns. */
export interface ReadHistory {
  /** Its messages, items or turns: what must not change when the conversation goes on. */
  readonly turns: readonly unknown[]
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: unknown }[]
  /** The ids of the calls that have results. */
  readonly results: readonly string[]
}

/** Plays an honest upstream of one dialect, apart from the code that is tested. */
export interface UpstreamWriter {
  /** Whether it wants the proofs of its thoughts back on the next turn. */
  readonly takesProofsBack: boolean
  write(answer: MeantAnswer, pick: Pick): WrittenAnswer
  readHistory(body: EncodedRequest['body']): ReadHistory
  /** A model whose limits the faults know; any name will do if there is none. */
  readonly model?: string
  /** What it would refuse in a request; nothing for a legal one. */
  faults(body: EncodedRequest['body']): string[]
}

/** One for each dialect that an upstream may be called in. */
const WRITERS: Readonly<Record<string, UpstreamWriter>> = {
  anthropic: anthropicWriter,
  'openai-chat': openaiChatWriter,
  'openai-responses': openaiResponsesWriter,
  gemini: geminiWriter,
  'amazon-q': amazonQWriter,
}

/** The writer of a registered dialect. */
export function writerOf(name: string): UpstreamWriter {
  const writer = WRITERS[name]
  if (writer !== undefined) return writer
  const message = `${name} is registered as an upstream, but nothing plays one: write test/pairs/writers/${name}.ts`
  throw new Error(`${message} and add it to WRITERS in test/pairs/upstream-writer.ts`)
}
