import type { HubMessage } from '../hub/request.ts'
import type { LoopStep } from './loop-steps.ts'
import { loopSteps } from './loop-steps.ts'

/** How a model can run in circles. */
export type LoopKind = 'same_call' | 'same_tool' | 'alternation'

/** A stretch of a history in which a model seems to run in circles. */
export interface LoopFinding {
  readonly kind: LoopKind
  /** The one tool, or the tools of one round in order. */
  readonly tools: readonly string[]
  /** Calls, or whole rounds of an alternation. */
  readonly count: number
  readonly firstMessageIndex: number
  readonly lastMessageIndex: number
  readonly message: string
}

/** From how many repetitions on something is called a loop, and which tools are made for repetition. */
export interface LoopOptions {
  /** Calls in a row of one tool with equal input that all fail or say the same (4). */
  readonly sameCall: number
  /** Calls in a row of one tool with other inputs that fail or say what was said before (15). */
  readonly sameTool: number
  /** Calls in a row of one tool with other inputs, although they bring something new (80). */
  readonly sameToolWithNews: number
  /** Rounds of the same calls, two or more in turn, that bring nothing new (3). */
  readonly alternation: number
  /** How many calls a round may have (4). */
  readonly longestRound: number
  /** Takes the place of each smaller threshold where a polling tool is called (40). */
  readonly polling: number
  /** Names of tools that are called again and again until something happens. */
  readonly pollingTools: readonly RegExp[]
}

/** What holds where a caller of `loops` says nothing else. */
export const DEFAULT_LOOP_OPTIONS: LoopOptions = {
  sameCall: 4,
  sameTool: 15,
  sameToolWithNews: 80,
  alternation: 3,
  longestRound: 4,
  polling: 40,
  pollingTools: [/output$/i, /^Kill(Shell|Bash)$/, /^write_stdin$/, /monitor|poll|sleep|status|wait/i],
}

/**
 * Reports where a history runs in circles, and changes nothing.
 * Results count: a repeated call whose result differs from the last time makes progress and is no loop.
 */
export function loops(messages: readonly HubMessage[], options: Partial<LoopOptions> = {}): LoopFinding[] {
  const limits = { ...DEFAULT_LOOP_OPTIONS, ...options }
  const found = loopSteps(messages).flatMap((steps) =>
    [sameCalls(steps, limits), sameTools(steps, limits), alternations(steps, limits)].flat(),
  )
  return found.map(finding).toSorted((one, other) => one.firstMessageIndex - other.firstMessageIndex)
}

/** Calls in a row that repeat themselves, round after round; a round is one call or several. */
interface Loop {
  readonly kind: LoopKind
  readonly steps: readonly LoopStep[]
  readonly round: number
  readonly words: string
}

function sameCalls(steps: readonly LoopStep[], limits: LoopOptions): Loop[] {
  const words = 'with the same input and brought nothing new'
  return stretches(steps, 1, isSameCall)
    .map((stretch): Loop => ({ kind: 'same_call', steps: stretch, round: 1, words }))
    .filter((loop) => reaches(loop, limits.sameCall, limits))
}

function sameTools(steps: readonly LoopStep[], limits: LoopOptions): Loop[] {
  const words = 'with other inputs and brought nothing new'
  const stuck = stretches(steps, 1, isSameToolWithoutNews)
    .map((stretch): Loop => ({ kind: 'same_tool', steps: stretch, round: 1, words }))
    .filter((loop) => hasOtherInputs(loop) && reaches(loop, limits.sameTool, limits))
  const reported = new Set(stuck.map((loop) => loop.steps[0]))
  const long = stretches(steps, 1, isSameTool)
    .map((stretch): Loop => ({ kind: 'same_tool', steps: stretch, round: 1, words: 'with other inputs' }))
    .filter((loop) => hasOtherInputs(loop) && reaches(loop, limits.sameToolWithNews, limits))
    .filter((loop) => !loop.steps.some((step) => reported.has(step)))
  return [...stuck, ...long]
}

function alternations(steps: readonly LoopStep[], limits: LoopOptions): Loop[] {
  const words = 'in turn with the same inputs and brought nothing new'
  const rounds = Array.from({ length: Math.max(0, limits.longestRound - 1) }, (_, index) => index + 2)
  return rounds
    .flatMap((round) =>
      stretches(steps, round, isSameCall).map((stretch): Loop => ({
        kind: 'alternation',
        steps: stretch,
        round,
        words,
      })),
    )
    .filter((loop) => !hasShorterRound(loop) && reaches(loop, limits.alternation, limits))
}

type Repeats = (step: LoopStep, earlier: LoopStep) => boolean

const isSameCall: Repeats = (step, earlier) => step.signature === earlier.signature && !step.isNewForCall
const isSameTool: Repeats = (step, earlier) => step.tool === earlier.tool
const isSameToolWithoutNews: Repeats = (step, earlier) => step.tool === earlier.tool && !step.isNewForTool

/** The longest stretches in which each step repeats the one a round before it. */
function stretches(steps: readonly LoopStep[], round: number, repeats: Repeats): LoopStep[][] {
  const found: LoopStep[][] = []
  let start = 0
  for (let end = round; end <= steps.length; end++) {
    const step = steps[end]
    const earlier = steps[end - round]
    if (step && earlier && repeats(step, earlier)) continue
    if (end - start > round) found.push(steps.slice(start, end))
    start = end - round + 1
  }
  return found
}

function reaches({ steps, round }: Loop, least: number, { polling, pollingTools }: LoopOptions): boolean {
  const count = Math.floor(steps.length / round)
  if (count < least) return false
  const polls = steps.slice(0, round).some(({ tool }) => pollingTools.some((pattern) => pattern.test(tool)))
  return !polls || count >= polling
}

function hasOtherInputs({ steps }: Loop): boolean {
  return steps.some(({ signature }) => signature !== steps[0]?.signature)
}

/** A-A-A-A is no alternation, and A-B-A-B is one of two calls, not of four. */
function hasShorterRound({ steps, round }: Loop): boolean {
  const signatures = steps.slice(0, round).map(({ signature }) => signature)
  return signatures.some(
    (_, shift) =>
      shift > 0 && signatures.every((signature, index) => signature === signatures[(index + shift) % round]),
  )
}

function finding({ kind, steps, round, words }: Loop): LoopFinding {
  const tools = steps.slice(0, round).map(({ tool }) => tool)
  const count = Math.floor(steps.length / round)
  return {
    kind,
    tools,
    count,
    firstMessageIndex: steps[0]?.messageIndex ?? 0,
    lastMessageIndex: steps.at(-1)?.messageIndex ?? 0,
    message: `${tools.join(', ')} ${round === 1 ? 'was' : 'were'} called ${count} times ${words}`,
  }
}
