import { UNSIGNED } from '../../src/identity/envelope.ts'
import type { HubStop } from '../../src/hub/message.ts'
import type { StreamTranslator } from '../../src/stream/translate.ts'
import { type ReadBlock, readStream } from './grammar.ts'
import { type AnswerSetup, chatTranslator, toBytes } from './translator.ts'

/** What became of an answer, in few words. */
export interface AnswerOutline {
  /** `text Hello`, `thinking Hm #signature`, `call_1 Read {"file_path":"a"}`. */
  readonly blocks: readonly string[]
  readonly stop: HubStop['stop_reason'] | undefined
  readonly stopSequence: string | null | undefined
  /** Input, output, read from the cache, written to it. */
  readonly usage: readonly (number | null)[] | undefined
  /** `kind: message` */
  readonly error: string | undefined
  /** The codes of the notes. */
  readonly notes: readonly string[]
  readonly translator: StreamTranslator
}

/** Translates a body in one piece and outlines the result; its grammar is checked on the way. */
export function answerTo(body: string | Uint8Array, setup?: AnswerSetup): AnswerOutline {
  return outlineOf(chatTranslator(setup), body)
}

/** Like `answerTo`, with a translator of your own. */
export function outlineOf(translator: StreamTranslator, body: string | Uint8Array): AnswerOutline {
  const { blocks, end, error } = readStream(translator.push(toBytes(body)) + translator.end())
  const usage = end?.usage
  return {
    blocks: blocks.map(blockOutline),
    stop: end?.delta.stop_reason,
    stopSequence: end?.delta.stop_sequence,
    usage: usage && [
      usage.input_tokens,
      usage.output_tokens,
      usage.cache_read_input_tokens,
      usage.cache_creation_input_tokens,
    ],
    error: error && `${error.type}: ${error.message}`,
    notes: translator.notes.map(({ code }) => code),
    translator,
  }
}

function blockOutline({ start, content, signature }: ReadBlock): string {
  const sealed = signature === '' || signature === UNSIGNED ? '' : ` #${signature}`
  if (start.type === 'tool_use') return `${start.id} ${start.name} ${content}`
  return `${start.type} ${content}${sealed}`.trimEnd()
}
