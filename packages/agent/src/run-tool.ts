import { type HubToolResult, isJsonObject } from '@hydra/core'
import type { AgentTool, Timer } from './agent.ts'
import type { CallPart } from './answer-part.ts'
import { errorResult, toolResult } from './tool-result.ts'

/** What the calls of a run share. */
export interface ToolContext {
  readonly tools: ReadonlyMap<string, AgentTool>
  readonly signal: AbortSignal
  readonly timer: Timer | undefined
  readonly timeout: number | undefined
}

/** Runs the tool that a call names; whatever happens becomes a result, and nothing is ever thrown. */
export async function runTool(call: CallPart, context: ToolContext): Promise<HubToolResult> {
  const tool = context.tools.get(call.name)
  if (tool === undefined) {
    const names = [...context.tools.keys()].join(', ')
    const offered = names === '' ? 'There are no tools.' : `There are: ${names}.`
    return errorResult(call.id, `There is no tool ${JSON.stringify(call.name)}. ${offered}`)
  }
  const input = inputOf(call.text)
  if (input === undefined) {
    return errorResult(call.id, `${call.name} was not run: its input has to be a JSON object, and is not.`)
  }
  if (context.signal.aborted) return errorResult(call.id, `${call.name} was not run: the run was aborted.`)
  return new RunningTool(tool, call, context).run(input)
}

function inputOf(json: string): Readonly<Record<string, unknown>> | undefined {
  if (json === '') return {}
  try {
    const input: unknown = JSON.parse(json)
    return isJsonObject(input) ? input : undefined
  } catch {
    return undefined
  }
}

/** One tool at work: what comes first counts, its result, the end of its time, or the end of the run. */
class RunningTool {
  readonly #tool: AgentTool
  readonly #id: string
  readonly #context: ToolContext
  readonly #abort = new AbortController()

  constructor(tool: AgentTool, { id }: CallPart, context: ToolContext) {
    this.#tool = tool
    this.#id = id
    this.#context = context
  }

  run(input: Readonly<Record<string, unknown>>): Promise<HubToolResult> {
    const { signal, timer, timeout: common } = this.#context
    const { name, timeout = common } = this.#tool
    return new Promise((resolve) => {
      let cancel: (() => void) | undefined
      const settle = (result: HubToolResult): void => {
        cancel?.()
        signal.removeEventListener('abort', aborted)
        resolve(result)
      }
      const giveUp = (words: string): void => {
        // Settled before the tool gets the signal: what it throws then is its way to stop, not its result.
        settle(errorResult(this.#id, words))
        this.#abort.abort(new Error(words))
      }
      const aborted = (): void => giveUp(`${name} was stopped before it was finished: the run was aborted.`)
      signal.addEventListener('abort', aborted, { once: true })
      if (timeout !== undefined && timer !== undefined) {
        cancel = timer(timeout, () => giveUp(`${name} was stopped: it took longer than ${timeout} ms.`))
      }
      this.#work(input).then(settle, (thrown: unknown) => {
        settle(errorResult(this.#id, `${name} failed: ${wordsOf(thrown)}`))
      })
    })
  }

  async #work(input: Readonly<Record<string, unknown>>): Promise<HubToolResult> {
    const value = await this.#tool.run(input, { id: this.#id, signal: this.#abort.signal })
    return toolResult(this.#id, value)
  }
}

function wordsOf(thrown: unknown): string {
  const words = thrown instanceof Error ? thrown.message : String(thrown)
  return words === '' ? 'it gave no reason' : words
}
