import * as fc from 'fast-check'
import { chunk, delta, DONE, event } from './chat-chunks.ts'

/** One block that a model means to send. */
export type IntendedBlock =
  | { readonly type: 'text' | 'thinking'; readonly content: string }
  | { readonly type: 'tool_use'; readonly name: string; readonly input: unknown }

/** An answer as some honest upstream may word it. */
export interface Answer {
  readonly blocks: readonly IntendedBlock[]
  /** The body of events. */
  readonly body: string
  readonly finish: string
  /** What the upstream counted, if it told. */
  readonly counted: boolean
}

/** How an upstream words its calls. */
export interface CallStyle {
  /** Whether it numbers them; else it sends one after the other. */
  readonly index: boolean
  readonly id: 'first' | 'always' | 'never'
  readonly namesAgain: boolean
  readonly interleaves: boolean
  /** Arguments as an object instead of text. */
  readonly asObject: boolean
}

/** A run of one kind of content. */
export type Part =
  | { readonly type: 'text' | 'thinking'; readonly pieces: readonly string[] }
  | { readonly type: 'calls'; readonly calls: readonly { readonly name: string; readonly input: object }[] }

const TEXT = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
const PIECES = fc.array(TEXT, { minLength: 1, maxLength: 4 })
const NAME = fc.constantFrom('Read', 'Bash', 'constructor', 'mcp__server__tool')
/** Any JSON object as JSON has it: written once, so that `-0` is the `0` that every reader gets. */
const INPUT: fc.Arbitrary<object> = fc
  .dictionary(
    fc.oneof(fc.string({ unit: 'grapheme', maxLength: 5 }), fc.constantFrom('__proto__', 'constructor')),
    fc.jsonValue({ maxDepth: 3 }),
    { maxKeys: 4 },
  )
  .map((input) => JSON.parse(JSON.stringify(input)) as object)
const CALLS = fc.array(fc.record({ name: NAME, input: INPUT }), { minLength: 1, maxLength: 3 })

const PART: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ type: fc.constantFrom('text', 'thinking'), pieces: PIECES }),
  fc.record({ type: fc.constant('calls' as const), calls: CALLS }),
)

/** Any style that leaves no doubt which call a piece belongs to. */
export const STYLE: fc.Arbitrary<CallStyle> = fc
  .record({
    index: fc.boolean(),
    id: fc.constantFrom('first', 'always', 'never'),
    namesAgain: fc.boolean(),
    interleaves: fc.boolean(),
    asObject: fc.boolean(),
  })
  // Pieces that say nothing of their call can only belong to the latest one.
  .filter(
    ({ index, id, namesAgain, interleaves }) => index || id === 'always' || !(namesAgain || interleaves),
  )

/** How an upstream words the end of an answer, and its reasoning. */
export interface Ending {
  readonly finish: string
  readonly finishTwice: boolean
  readonly done: boolean
  /** Where the usage is. */
  readonly usage: 'finish' | 'later' | 'choice' | 'groq' | 'every' | 'never'
  readonly reasoningField: 'reasoning_content' | 'reasoning' | 'reasoning_text' | 'details' | 'twice'
}

/** Any ending of an answer that is whole. */
export const ENDING: fc.Arbitrary<Ending> = fc.record({
  finish: fc.constantFrom('stop', 'tool_calls', 'function_call', 'eos', 'STOP'),
  finishTwice: fc.boolean(),
  done: fc.boolean(),
  usage: fc.constantFrom('finish', 'later', 'choice', 'groq', 'every', 'never'),
  reasoningField: fc.constantFrom('reasoning_content', 'reasoning', 'reasoning_text', 'details', 'twice'),
})

/** An honest answer in any wording. */
export const arbitraryAnswer: fc.Arbitrary<Answer> = fc
  .record({
    parts: fc.array(PART, { maxLength: 5 }),
    style: STYLE,
    ending: ENDING,
    pick: fc.infiniteStream(fc.nat({ max: 1000 })),
  })
  .map(({ parts, style, ending, pick }) => {
    const random = (below: number): number => (pick.next().value as number) % below
    return {
      blocks: merged(parts.flatMap(blocksOf)),
      body: chatBody(parts, { style, ending, random }),
      finish: ending.finish,
      counted: ending.usage !== 'never',
    }
  })

/** How an upstream words an answer; `random` decides what is left open. */
export interface ChatWording {
  readonly style: CallStyle
  readonly ending: Ending
  readonly random: (below: number) => number
}

/** An answer as a body of events. */
export function chatBody(parts: readonly Part[], wording: ChatWording): string {
  const progress: Wording = { ...wording, calls: 0 }
  const chunks = parts.flatMap((part) => partChunks(part, progress))
  return [delta({ role: 'assistant', content: '' }), ...chunks, ...endChunks(progress)].join('')
}

interface Wording extends ChatWording {
  /** How many calls came before. */
  calls: number
}

const USAGE = { prompt_tokens: 11, completion_tokens: 7 }

function blocksOf(part: Part): IntendedBlock[] {
  if (part.type !== 'calls') return [{ type: part.type, content: part.pieces.join('') }]
  return part.calls.map(({ name, input }) => ({ type: 'tool_use', name, input }))
}

/** Neighbours of one kind are one block: a stream does not tell them apart. */
function merged(blocks: readonly IntendedBlock[]): IntendedBlock[] {
  const result: IntendedBlock[] = []
  for (const block of blocks) {
    const last = result.at(-1)
    if (last === undefined || last.type === 'tool_use' || last.type !== block.type) result.push(block)
    else result[result.length - 1] = { type: last.type, content: last.content + block.content }
  }
  return result
}

function partChunks(part: Part, wording: Wording): string[] {
  if (part.type === 'calls') return callChunks(part.calls, wording)
  const word = part.type === 'text' ? (content: string): object => ({ content }) : reasoning
  return part.pieces.map((piece) => say(word(piece, wording), wording))
}

function reasoning(piece: string, { ending }: Wording): object {
  const details = [{ type: 'reasoning.text', text: piece }]
  if (ending.reasoningField === 'details') return { content: null, reasoning_details: details }
  if (ending.reasoningField === 'twice') return { reasoning: piece, reasoning_details: details }
  return { content: '', [ending.reasoningField]: piece }
}

function callChunks(calls: readonly { name: string; input: object }[], wording: Wording): string[] {
  const queues = calls.map((call) => callPieces(call, wording))
  const pieces: object[] = []
  while (queues.some((queue) => queue.length > 0)) {
    const waiting = queues.filter((queue) => queue.length > 0)
    // Calls begin in their order, or nobody could tell which is the first.
    const unbegun = waiting.findIndex((queue) => queue[0]?.begins)
    const open = unbegun === -1 ? waiting.length : unbegun + 1
    const among = wording.style.interleaves ? open : 1
    const piece = waiting[wording.random(among)]?.shift()
    if (piece !== undefined) pieces.push(piece.json)
  }
  return inChunks(pieces, wording)
}

/** Several pieces may share a chunk. */
function inChunks(pieces: readonly object[], wording: Wording): string[] {
  const chunks: string[] = []
  for (let at = 0; at < pieces.length;) {
    const length = 1 + wording.random(3)
    chunks.push(say({ tool_calls: pieces.slice(at, at + length) }, wording))
    at += length
  }
  return chunks
}

function callPieces(
  { name, input }: { name: string; input: object },
  wording: Wording,
): { begins: boolean; json: object }[] {
  const { style, random } = wording
  const number = wording.calls
  wording.calls += 1
  const texts = style.asObject ? [input] : cut(JSON.stringify(input, null, random(3)), random)
  return texts.map((json, at) => {
    const isFirst = at === 0
    const says = {
      ...(style.index && { index: number }),
      ...((style.id === 'always' || (style.id === 'first' && isFirst)) && { id: `call_${number}` }),
      type: 'function',
      function: { ...((isFirst || style.namesAgain) && { name }), arguments: json },
    }
    return { begins: isFirst, json: says }
  })
}

function cut(text: string, random: (below: number) => number): string[] {
  const pieces: string[] = random(2) === 0 ? [''] : []
  for (let at = 0; at < text.length;) {
    const length = 1 + random(12)
    pieces.push(text.slice(at, at + length))
    at += length
  }
  return pieces
}

function say(fields: object, { ending }: Wording): string {
  const choice = { delta: fields, finish_reason: null }
  return chunk(choice, ending.usage === 'every' ? { usage: { prompt_tokens: 11, completion_tokens: 1 } } : {})
}

function endChunks({ ending }: Wording): string[] {
  const { finish: reason, usage } = ending
  const choice = { delta: {}, finish_reason: reason, ...(usage === 'choice' && { usage: USAGE }) }
  const inFinish = usage === 'finish' || usage === 'every'
  const beside = {
    ...(inFinish && { usage: USAGE }),
    ...(usage === 'groq' && { x_groq: { usage: USAGE } }),
  }
  return [
    chunk(choice, beside),
    ...(ending.finishTwice ? [chunk(choice, beside)] : []),
    ...(usage === 'later' ? [event({ choices: [], usage: USAGE })] : []),
    ...(ending.done ? [DONE] : []),
  ]
}
