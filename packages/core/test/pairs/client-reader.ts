import type { ClientCall } from '../../src/dialects/dialect.ts'
import { anthropicReader } from './readers/anthropic.ts'
import { geminiReader } from './readers/gemini.ts'
import { openaiChatReader } from './readers/openai-chat.ts'
import { openaiResponsesReader } from './readers/openai-responses.ts'

/** A call as a client puts it together. */
export interface ToldCall {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  readonly input: unknown
}

/** Text or thinking as a client puts it together. */
export interface ToldWords {
  readonly type: 'text' | 'thinking'
  readonly content: string
  /** The carrier of a thought's proof, '' for none. */
  readonly proof: string
}

/** What a client was told. */
export interface Told {
  readonly blocks: readonly (ToldWords | ToldCall)[]
  /** Absent after an error. */
  readonly stop: 'end' | 'tools' | 'length' | 'filter' | undefined
  /** Everything that was read, and everything that was written. */
  readonly usage: { readonly input: number; readonly output: number } | undefined
  /** The words of the error that it ended in. */
  readonly error: string | undefined
  /** What the client sends back of this answer on the next turn. */
  readonly turn: readonly unknown[]
}

/** A client's request: its body, and whatever else says something in its protocol. */
export type Asked = Partial<ClientCall> & Pick<ClientCall, 'body'>

/** Plays a strict client of one dialect, apart from the code that is tested. */
export interface ClientReader {
  /** Whether its protocol tells in which order texts, thoughts and calls came. */
  readonly keepsOrder: boolean
  /** Whether it has a place for the proofs of thoughts. */
  readonly carriesProofs: boolean
  /** Its first request. */
  ask(stream: boolean): Asked
  /** The request after these answers, with a result for each of their calls. */
  askAgain(answers: readonly Told[]): Asked
  /** Reads a stream and throws at the first violation of its grammar. */
  read(output: string): Told
  /** Reads an answer that came in one body. */
  readWhole(body: string): Told
}

/** One for each dialect that a client may speak. */
const READERS: Readonly<Record<string, ClientReader>> = {
  anthropic: anthropicReader,
  'openai-chat': openaiChatReader,
  'openai-responses': openaiResponsesReader,
  gemini: geminiReader,
}

/** The reader of a registered dialect. */
export function readerOf(name: string): ClientReader {
  const reader = READERS[name]
  if (reader !== undefined) return reader
  const message = `${name} is registered for clients, but nothing plays one: write test/pairs/readers/${name}.ts`
  throw new Error(`${message} and add it to READERS in test/pairs/client-reader.ts`)
}
