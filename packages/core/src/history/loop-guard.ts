import type { HubMessage } from '../hub/request.ts'
import { blocksOf } from '../hub/request.ts'
import { canonicalJson } from './canonical-json.ts'
import { DEFAULT_LOOP_OPTIONS, type LoopOptions } from './loop-options.ts'
import { hasUsersWords, loopSteps, type LoopStep } from './loop-steps.ts'
import { type LoopFinding, type LoopKind, loopsIn } from './loops.ts'

/** What is done about a loop: log it, remind the model, or end the turn. */
export type LoopMode = 'warn' | 'notify' | 'stop'

/** The options of a loop guard. */
export interface LoopGuardOptions {
  /** Log it, tell the model, or end the turn. */
  readonly mode: LoopMode
  /** From how many equal calls in a row, all without news, it is a loop (5). */
  readonly repeats?: number | undefined
  /** From how many rounds of the same calls in turn (one less than `repeats`, at least 2). */
  readonly rounds?: number | undefined
  /** From how many calls in a row with slightly different inputs (twice `repeats`). */
  readonly similar?: number | undefined
  /** Names of tools that may repeat themselves as they like; `*` matches any characters. */
  readonly exemptTools?: readonly string[] | undefined
}

/** A loop that is under way at the end of a history. */
export interface LoopTrip {
  readonly mode: LoopMode
  readonly kind: LoopKind
  /** The tool that repeats itself, or those that do in turn. */
  readonly tool: string
  readonly count: number
  /** What repeated and how often, in words for a log: no input, no result. */
  readonly message: string
  /** The calls of one round with their inputs, shortened: words of the conversation. */
  readonly calls: readonly string[]
  /** The assistant message with the latest of the repeated calls. */
  readonly messageIndex: number
}

/** Looks at a history and says whether it runs in circles now. */
export interface LoopGuard {
  look(messages: readonly HubMessage[]): LoopTrip | undefined
}

/** From how many equal calls in a row it is a loop, by default. */
export const DEFAULT_LOOP_REPEATS = 5

/** How many more failures it takes where each of them says something else. */
const FAILURE_FACTOR = 3

/** How many calls a round may have: several turns, each with a few calls side by side. */
const MAX_ROUND = 8

/**
 * Creates a loop guard. It keeps nothing between two looks: a history says by itself how often a call came back,
 * and each agent has its own.
 */
export function createLoopGuard(options: LoopGuardOptions): LoopGuard {
  const exempt = (options.exemptTools ?? []).map(patternOf)
  const strict = limitsOf(options, 1)
  const patient = { ...limitsOf(options, FAILURE_FACTOR), failuresAreNews: false }
  return {
    look(messages) {
      const start = Math.max(0, messages.findLastIndex(hasUsersWords))
      // Calls that were made last had no time to be answered yet.
      const end = messages.at(-1)?.role === 'assistant' ? -1 : undefined
      const recent = messages.slice(start, end)
      const steps = loopSteps(recent).at(-1)
      const last = steps?.at(-1)
      if (steps === undefined || last === undefined) return undefined
      const found = [...ongoing(steps, strict), ...ongoing(steps, patient)].find(
        ({ tools }) => !tools.some((tool) => exempt.some((pattern) => pattern.test(tool))),
      )
      if (found === undefined) return undefined
      return {
        mode: options.mode,
        kind: found.kind,
        tool: [...new Set(found.tools)].join(', '),
        count: found.count,
        message: found.message,
        calls: callsOf(recent, found),
        messageIndex: start + last.messageIndex,
      }
    },
  }
}

function limitsOf(options: LoopGuardOptions, factor: number): LoopOptions {
  const { repeats = DEFAULT_LOOP_REPEATS } = options
  const { rounds = Math.max(2, repeats - 1), similar = repeats * 2 } = options
  return {
    ...DEFAULT_LOOP_OPTIONS,
    sameCall: repeats * factor,
    alternation: rounds * factor,
    similarCalls: similar * factor,
    lostResults: Math.max(2, repeats - 1),
    // Many different inputs are what a long piece of honest work looks like.
    sameTool: Infinity,
    sameToolWithNews: Infinity,
    longestRound: MAX_ROUND,
    failuresAreNews: true,
  }
}

/** A loop that the model has left by itself no longer counts. */
function ongoing(steps: readonly LoopStep[], limits: LoopOptions): LoopFinding[] {
  const last = steps.at(-1)?.messageIndex
  return loopsIn(steps, limits).filter(({ lastMessageIndex }) => lastMessageIndex === last)
}

/** How much of a call's input is quoted. */
const QUOTED = 160

/** The different calls of the last round, as the model made them. */
function callsOf(messages: readonly HubMessage[], { tools, lastMessageIndex }: LoopFinding): string[] {
  const names = new Set(tools)
  const calls = messages
    .slice(0, lastMessageIndex + 1)
    .flatMap((message) => (message.role === 'assistant' ? blocksOf(message) : []))
    .filter((block) => block.type === 'tool_use')
    .filter(({ name }) => names.has(name))
    .slice(-tools.length)
    .map(({ name, input }) => `${name} ${shortened(canonicalJson(input ?? {}))}`)
  return [...new Set(calls)]
}

function shortened(text: string): string {
  return text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text
}

function patternOf(name: string): RegExp {
  const escaped = name.split('*').map((piece) => piece.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${escaped.join('.*')}$`)
}
