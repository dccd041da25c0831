import {
  HubError,
  type HubRequest,
  type HubStopReason,
  type HubTool,
  type HubUsage,
  invalidRequest,
  loopReminder,
  type Note,
  Notes,
  toHubError,
  unfold,
  usageOf,
} from '@hydra/core'
import type { AgentEnd, AgentEvent, AgentOptions, AgentResult, AgentTool } from './agent.ts'
import type { CallPart } from './answer-part.ts'
import { Conversation } from './conversation.ts'
import { PartsTracker } from './parts-tracker.ts'
import { runTool, type ToolContext } from './run-tool.ts'
import { sumUsage } from './sum-usage.ts'
import { errorResult } from './tool-result.ts'

/** How many turns a model has, by default. */
export const DEFAULT_MAX_ITERATIONS = 25

const DEFAULT_MAX_TOKENS = 8192

/** Stop reasons of answers that are not whole. */
const CUT: ReadonlySet<HubStopReason | null> = new Set<HubStopReason>([
  'max_tokens',
  'model_context_window_exceeded',
  'refusal',
])

/** Lets a model work: it is asked, its calls are run, their results are sent back, until it stops or is stopped. */
export async function runAgent(options: AgentOptions): Promise<AgentResult> {
  checkOptions(options)
  const run = new AgentRun(options)
  return run.result(await run.end())
}

function checkOptions(options: AgentOptions): void {
  const { messages, system, tools, timer, toolTimeout, maxIterations = 1 } = options
  if (system !== undefined && messages instanceof Conversation) {
    throw invalidRequest('system', 'a conversation has its own system prompt')
  }
  const names = new Set<string>()
  for (const { name, timeout = toolTimeout } of tools) {
    if (names.has(name)) throw invalidRequest('tools', `there are two tools with the name ${name}`)
    names.add(name)
    if (timeout !== undefined && timer === undefined) {
      throw invalidRequest('timer', `the time limit of ${name} cannot be measured without one`)
    }
  }
  if (!Number.isInteger(maxIterations) || maxIterations < 1) {
    throw invalidRequest('maxIterations', `expected a whole number from 1 on, got ${maxIterations}`)
  }
}

class AgentRun {
  readonly #options: AgentOptions
  readonly #conversation: Conversation
  readonly #signal: AbortSignal
  readonly #tools: ToolContext
  readonly #notes = new Notes()
  #usage: HubUsage = usageOf({})
  #iterations = 0
  #text = ''

  constructor(options: AgentOptions) {
    const { messages, system, tools, timer, toolTimeout } = options
    this.#options = options
    this.#signal = options.signal ?? new AbortController().signal
    this.#conversation = messages instanceof Conversation ? messages : new Conversation({ system, messages })
    this.#conversation.repair()
    this.#tools = {
      tools: new Map(tools.map((tool) => [tool.name, tool])),
      signal: this.#signal,
      timer,
      timeout: toolTimeout,
    }
  }

  async end(): Promise<AgentEnd> {
    const { maxIterations = DEFAULT_MAX_ITERATIONS } = this.#options
    while (this.#iterations < maxIterations) {
      if (this.#signal.aborted) return { outcome: 'aborted' }
      // oxlint-disable-next-line no-await-in-loop -- each turn answers the one before
      const end = await this.#iterate()
      if (end !== undefined) return end
    }
    return { outcome: 'limit', maxIterations }
  }

  result(end: AgentEnd): AgentResult {
    return {
      ...end,
      conversation: this.#conversation,
      usage: this.#usage,
      iterations: this.#iterations,
      text: this.#text,
      notes: this.#notes.list,
    }
  }

  /** One turn of the model and the work it asks for; gives the end, if this was the last. */
  async #iterate(): Promise<AgentEnd | undefined> {
    const iteration = this.#conversation.nextIteration
    const tracker = new PartsTracker({
      usedIds: this.#conversation.callIds,
      onEvent: (event) => this.#tell({ type: 'part', iteration, event }),
    })
    this.#iterations += 1
    this.#tell({ type: 'iteration', iteration, number: this.#iterations })
    await this.#ask(tracker, iteration)
    if (tracker.failure === undefined) await this.#work(tracker)
    return this.#store(tracker, iteration)
  }

  /** Asks the model. The tracker has the answer afterwards, or the failure. */
  async #ask(tracker: PartsTracker, iteration: string): Promise<void> {
    const left = listenFor(this.#signal)
    const notes = new Notes()
    try {
      const request = this.#request(iteration)
      const sent = this.#options.send(request, { sink: tracker, signal: this.#signal, notes })
      // A sender that ignores the signal is not waited for.
      const answer = await Promise.race([sent, left.aborted])
      if (answer !== undefined) unfold(answer, tracker)
      if (!tracker.ended)
        tracker.error(new HubError('api_error', 'the answer broke off: nobody said its end'))
    } catch (thrown) {
      tracker.error(toHubError(thrown))
    } finally {
      left.forget()
      this.#take(notes.list, iteration)
    }
  }

  #request(iteration: string): HubRequest {
    const { model, tools, trim, request } = this.#options
    const { system } = this.#conversation
    let { messages } = this.#conversation
    if (trim !== undefined) {
      const trimmed = this.#conversation.trimmed(trim)
      messages = trimmed.messages
      this.#take(trimmed.notes, iteration)
      if (trimmed.notes.length > 0) this.#tell({ type: 'trimmed', iteration, notes: trimmed.notes })
    }
    return {
      max_tokens: DEFAULT_MAX_TOKENS,
      ...request,
      model,
      ...(system !== undefined && { system }),
      messages: [...messages],
      ...(tools.length > 0 && { tools: tools.map(definitionOf) }),
      stream: true,
    }
  }

  /** Runs all calls at the same time. A call at which the answer was cut may lack half of its input. */
  async #work(tracker: PartsTracker): Promise<void> {
    const reason = tracker.stop?.stop_reason ?? null
    // What a refused answer asks for is not done.
    if (reason === 'refusal') return
    const cutCall = CUT.has(reason) ? tracker.parts.at(-1) : undefined
    const results = tracker.calls.map(async (call) => {
      const result = call === cutCall ? cutOff(call, reason) : await runTool(call, this.#tools)
      tracker.result(result)
    })
    await Promise.all(results)
  }

  #store(tracker: PartsTracker, iteration: string): AgentEnd | undefined {
    const { failure, usage, stop } = tracker
    const { aborted } = this.#signal
    const reason = stop?.stop_reason ?? null
    const broken = failure === undefined ? undefined : brokenWords(failure, aborted)
    this.#conversation.addIteration({ parts: tracker.parts, broken })
    this.#text = tracker.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
    this.#take(tracker.notes, iteration)
    if (usage !== undefined) this.#usage = sumUsage(this.#usage, usage)
    else this.#notes.add('usage_unknown', iteration, 'an answer that broke off does not say what it cost')
    this.#tell({ type: 'stored', iteration, usage })
    if (failure !== undefined) return aborted ? { outcome: 'aborted' } : { outcome: 'failed', error: failure }
    if (isLast(tracker, reason)) return { outcome: CUT.has(reason) ? 'cut' : 'done', stopReason: reason }
    return aborted ? { outcome: 'aborted' } : this.#guard(iteration)
  }

  #guard(iteration: string): AgentEnd | undefined {
    const trip = this.#options.guard?.look(this.#conversation.messages)
    if (trip === undefined) return undefined
    this.#notes.add('loop', iteration, trip.message)
    this.#tell({ type: 'loop', iteration, trip })
    if (trip.mode === 'notify') {
      this.#conversation.add({ role: 'user', content: [{ type: 'text', text: loopReminder(trip) }] })
    }
    return trip.mode === 'stop' ? { outcome: 'loop', trip } : undefined
  }

  #take(notes: readonly Note[], iteration: string): void {
    for (const { code, path, message } of notes) this.#notes.add(code, `${iteration}.${path}`, message)
  }

  /** A listener that fails is its own concern: the run goes on, and reports it. */
  #tell(event: AgentEvent): void {
    try {
      this.#options.onEvent?.(event)
    } catch (thrown) {
      this.#notes.addOnce('listener_failed', event.iteration, toHubError(thrown).message)
    }
  }
}

/** A server that runs tools of its own may pause, and goes on when it is sent what it said so far. */
function isLast({ calls }: PartsTracker, reason: HubStopReason | null): boolean {
  return reason === 'refusal' || (calls.length === 0 && reason !== 'pause_turn')
}

function definitionOf({ name, description, input_schema }: AgentTool): HubTool {
  return { name, ...(description !== undefined && { description }), input_schema: { ...input_schema } }
}

function cutOff(call: CallPart, reason: HubStopReason | null): ReturnType<typeof errorResult> {
  const words = `${call.name} was not run: the answer ended in this call (${reason ?? 'no reason given'}), and its input may not be whole.`
  return errorResult(call.id, words)
}

function brokenWords(failure: HubError, aborted: boolean): string {
  return aborted ? 'The answer was stopped here.' : `The answer broke off here: ${failure.message}`
}

/** Rejects when the signal is aborted, until it is forgotten. */
function listenFor(signal: AbortSignal): { readonly aborted: Promise<never>; forget(): void } {
  const { promise, reject } = Promise.withResolvers<never>()
  const hear = (): void => reject(new HubError('api_error', 'the run was aborted', { cause: signal.reason }))
  if (signal.aborted) hear()
  signal.addEventListener('abort', hear, { once: true })
  promise.catch(() => {})
  return { aborted: promise, forget: () => signal.removeEventListener('abort', hear) }
}
