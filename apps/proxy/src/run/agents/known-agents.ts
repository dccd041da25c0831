import { basename } from 'node:path'
import type { Agent } from './agent.ts'
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { gemini } from './gemini.ts'
import { kimi } from './kimi.ts'
import { opencode } from './opencode.ts'
import { pi } from './pi.ts'
import { qwen } from './qwen.ts'

/** The agents that `hydra run` knows. */
export const AGENTS: readonly Agent[] = [claude, codex, opencode, pi, gemini, qwen, kimi, copilot]

/** The agent that a command starts, whatever folder its program is in. */
export function agentOf(command: string): Agent | undefined {
  const name = basename(command).replace(/\.(?:cmd|exe)$/i, '')
  return AGENTS.find((agent) => agent.name === name)
}
