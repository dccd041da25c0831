import { type AgentOptions, type AgentResult, runAgent as runAgentWith, type Timer } from '@hydra/agent'
import { type AgentAccess, type AgentTarget, sendTo } from './send-to.ts'

/** How long a tool may take, in milliseconds, by default. */
export const DEFAULT_TOOL_TIMEOUT = 120_000

/** What an agent is made of: the options of the pure loop, with what that cannot bring itself. */
export interface RunAgentOptions extends Omit<AgentOptions, 'send'>, AgentAccess {
  /** The address of a Messages endpoint, a gateway, or a function. */
  readonly send: AgentTarget
}

/** Lets a model work with tools until it stops: asks it, runs its calls, sends the results, and keeps the history. */
export function runAgent(options: RunAgentOptions): Promise<AgentResult> {
  const { send, key, headers = {}, ...rest } = options
  return runAgentWith({
    toolTimeout: DEFAULT_TOOL_TIMEOUT,
    timer,
    ...rest,
    send: sendTo(send, { key, headers }),
  })
}

const timer: Timer = (milliseconds, callback) => {
  const running = setTimeout(callback, milliseconds)
  return () => clearTimeout(running)
}
