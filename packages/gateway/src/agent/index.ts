export type { AgentEvent, AgentResult, AgentTool, SendTurn } from '@hydra/agent'
export { DEFAULT_TOOL_TIMEOUT, runAgent, type RunAgentOptions } from './run-agent.ts'
export { type AgentAccess, type AgentTarget, type Fetching, sendTo } from './send-to.ts'
