import {
  type Finding,
  type HubRequest,
  loops,
  type MessageOutline,
  type Note,
  registry,
  traceConversion,
  validate,
} from '@hydra/core'
import { type ExplainedBlock, type ExplainTarget, followBlocks } from './follow-blocks.ts'
import { OutputPlaces } from './output-places.ts'

/** One message of the request. */
export interface ExplainedMessage {
  readonly index: number
  readonly role: string
  readonly blocks: readonly ExplainedBlock[]
  /** The codes of the notes about the message as a whole. */
  readonly notes: readonly string[]
}

/** One message of the translated request, and the blocks it was made of. */
export interface ExplainedOutput extends MessageOutline {
  readonly from: readonly string[]
  /** The ids of the calls whose results it holds. */
  readonly answers: readonly string[]
}

/** The account of one translation. */
export interface Explanation {
  readonly source: string
  readonly dialect: string
  readonly profile: string
  readonly model: string
  readonly system: readonly ExplainedBlock[]
  readonly input: readonly ExplainedMessage[]
  readonly output: readonly ExplainedOutput[]
  readonly notes: readonly Note[]
  /** What is wrong with the history as it came. */
  readonly findings: readonly Finding[]
  /** Where the model ran in circles. */
  readonly loops: readonly string[]
}

/** Translates a request, and accounts for every block of it. */
export function explain(
  { request, notes }: { readonly request: HubRequest; readonly notes: readonly Note[] },
  target: ExplainTarget,
  source: string,
): Explanation {
  const { dialect, profile, model } = target
  const upstream = registry.upstream(dialect)
  const encoded = upstream.encodeRequest(request, { model, profile })
  const { output } = traceConversion(request, encoded, upstream)
  const all = [...notes, ...encoded.notes]
  const blocks = followBlocks(request, { target, encoded, notes: all })
  return {
    source,
    dialect,
    profile: profile.name,
    model,
    system: blocks.filter(({ messageIndex }) => messageIndex === undefined),
    input: request.messages.map(({ role }, index) => ({
      index,
      role,
      blocks: blocks.filter(({ messageIndex }) => messageIndex === index),
      notes: [...new Set(all.filter(({ path }) => path === `messages[${index}]`).map(({ code }) => code))],
    })),
    output: explainedOutput(
      output,
      blocks,
      answersOf(new OutputPlaces({ request, encoded, outline: output })),
    ),
    notes: all,
    findings: validate(request.messages),
    loops: loops(request.messages).map(
      ({ message, firstMessageIndex, lastMessageIndex }) =>
        `messages[${firstMessageIndex}] to messages[${lastMessageIndex}]: ${message}`,
    ),
  }
}

type Answers = ReadonlyMap<number, readonly string[]>

function explainedOutput(
  output: readonly MessageOutline[],
  blocks: readonly ExplainedBlock[],
  answers: Answers,
): ExplainedOutput[] {
  return output.map((outline) => {
    const from = blocks
      .filter(({ to }) => to.some(({ message }) => message === outline.index))
      .map(({ label }) => label)
    return Object.assign({ from, answers: answers.get(outline.index) ?? [] }, outline)
  })
}

/** The ids of the calls that each message answers. */
function answersOf(places: OutputPlaces): Answers {
  const grouped = Map.groupBy(places.answers(), ({ message }) => message)
  return new Map([...grouped].map(([message, found]) => [message, found.map(({ id }) => id)]))
}
