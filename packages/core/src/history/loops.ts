import type { HubMessage } from '../hub/request.ts'
import { DEFAULT_LOOP_OPTIONS, type LoopOptions } from './loop-options.ts'
import { repeatsOf } from './loop-repeats.ts'
import type { Repeats } from './loop-repeats.ts'
import type { LoopStep } from './loop-steps.ts'
import { loopSteps } from './loop-steps.ts'

/** How a model can run in circles. */
export type LoopKind = 'same_call' | 'similar_calls' | 'same_tool' | 'alternation' | 'lost_results'

/** A stretch of a history in which a model seems to run in circles. */
export interface LoopFinding {
  readonly kind: LoopKind
  /** The one tool, the tools of one round in order, or those whose results were lost. */
  readonly tools: readonly string[]
  /** Calls, whole rounds of an alternation, or turns without results. */
  readonly count: number
  readonly firstMessageIndex: number
  readonly lastMessageIndex: number
  readonly message: string
}

/**
 * Reports where a history runs in circles, and changes nothing.
 * Results count: a repeated call whose result differs from the last time makes progress and is no loop.
 */
export function loops(messages: readonly HubMessage[], options: Partial<LoopOptions> = {}): LoopFinding[] {
  const limits = { ...DEFAULT_LOOP_OPTIONS, ...options }
  return loopSteps(messages)
    .flatMap((steps) => loopsIn(steps, limits))
    .toSorted((one, other) => one.firstMessageIndex - other.firstMessageIndex)
}

/** Reports where the calls of one stretch run in circles, the plainest kind of loop first. */
export function loopsIn(steps: readonly LoopStep[], limits: LoopOptions): LoopFinding[] {
  return [
    sameCalls(steps, limits),
    alternations(steps, limits),
    similarCalls(steps, limits),
    sameTools(steps, limits),
    lostResults(steps, limits),
  ]
    .flat()
    .map(finding)
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
  return stretches(steps, 1, repeatsOf('same_call', limits))
    .map((stretch): Loop => ({ kind: 'same_call', steps: stretch, round: 1, words }))
    .filter((loop) => reaches(loop, limits.sameCall, limits))
}

function similarCalls(steps: readonly LoopStep[], limits: LoopOptions): Loop[] {
  const words = 'with slightly different inputs and brought nothing new'
  return stretches(steps, 1, repeatsOf('similar_calls', limits))
    .map((stretch): Loop => ({ kind: 'similar_calls', steps: stretch, round: 1, words }))
    .filter((loop) => hasOtherInputs(loop) && reaches(loop, limits.similarCalls, limits))
}

function sameTools(steps: readonly LoopStep[], limits: LoopOptions): Loop[] {
  const words = 'with other inputs and brought nothing new'
  const stuck = stretches(steps, 1, repeatsOf('same_tool', limits))
    .map((stretch): Loop => ({ kind: 'same_tool', steps: stretch, round: 1, words }))
    .filter((loop) => hasOtherInputs(loop) && reaches(loop, limits.sameTool, limits))
  const reported = new Set(stuck.map((loop) => loop.steps[0]))
  const long = stretches(steps, 1, (step, earlier) => step.tool === earlier.tool)
    .map((stretch): Loop => ({ kind: 'same_tool', steps: stretch, round: 1, words: 'with other inputs' }))
    .filter((loop) => hasOtherInputs(loop) && reaches(loop, limits.sameToolWithNews, limits))
    .filter((loop) => !loop.steps.some((step) => reported.has(step)))
  return [...stuck, ...long]
}

function alternations(steps: readonly LoopStep[], limits: LoopOptions): Loop[] {
  const words = 'in turn with the same inputs and brought nothing new'
  const rounds = Array.from({ length: Math.max(0, limits.longestRound - 1) }, (_, index) => index + 2)
  const ordered = inOneOrder(steps)
  return rounds
    .flatMap((round) =>
      stretches(ordered, round, repeatsOf('same_call', limits)).map((stretch): Loop => ({
        kind: 'alternation',
        steps: stretch,
        round,
        words,
      })),
    )
    .filter((loop) => !hasShorterRound(loop) && reaches(loop, limits.alternation, limits))
}

/** Turns in a row that lost everything; calls made side by side are lost together, so turns count. */
function lostResults(steps: readonly LoopStep[], limits: LoopOptions): Loop[] {
  if (limits.lostResults === Infinity) return []
  return stretches(steps, 1, (step, earlier) => step.outcome === 'lost' && earlier.outcome === 'lost')
    .map((stretch): Loop => ({ kind: 'lost_results', steps: stretch, round: 1, words: '' }))
    .filter((loop) => turnsOf(loop.steps) >= limits.lostResults)
}

/** Calls made side by side come in any order, so for rounds they are put into one. */
function inOneOrder(steps: readonly LoopStep[]): readonly LoopStep[] {
  return steps.toSorted((one, other) => one.messageIndex - other.messageIndex || one.call - other.call)
}

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

function reaches({ steps, round }: Loop, least: number, limits: LoopOptions): boolean {
  const count = Math.floor(steps.length / round)
  if (count < least) return false
  return count >= limits.polling || !steps.slice(0, round).some((step) => polls(step, limits))
}

function polls({ tool, signature }: LoopStep, { pollingTools, pollingCalls }: LoopOptions): boolean {
  return (
    pollingTools.some((pattern) => pattern.test(tool)) ||
    pollingCalls.some((pattern) => pattern.test(signature))
  )
}

function hasOtherInputs({ steps }: Loop): boolean {
  return steps.some(({ call }) => call !== steps[0]?.call)
}

/** A-A-A-A is no alternation, and A-B-A-B is one of two calls, not of four. */
function hasShorterRound({ steps, round }: Loop): boolean {
  const calls = steps.slice(0, round).map(({ call }) => call)
  return calls.some(
    (_, shift) => shift > 0 && calls.every((call, index) => call === calls[(index + shift) % round]),
  )
}

function turnsOf(steps: readonly LoopStep[]): number {
  return new Set(steps.map(({ messageIndex }) => messageIndex)).size
}

function finding(loop: Loop): LoopFinding {
  const { kind, steps, round } = loop
  const place = {
    firstMessageIndex: steps[0]?.messageIndex ?? 0,
    lastMessageIndex: steps.at(-1)?.messageIndex ?? 0,
  }
  if (kind === 'lost_results') {
    const tools = [...new Set(steps.map(({ tool }) => tool))]
    const count = turnsOf(steps)
    const message = `the results of ${count} turns in a row are missing (${tools.join(', ')})`
    return { kind, tools, count, ...place, message }
  }
  const tools = steps.slice(0, round).map(({ tool }) => tool)
  const count = Math.floor(steps.length / round)
  const message = `${tools.join(', ')} ${round === 1 ? 'was' : 'were'} called ${count} times ${loop.words}`
  return { kind, tools, count, ...place, message }
}
