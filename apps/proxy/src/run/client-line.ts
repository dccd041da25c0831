import { anthropic, type DialectName, gemini, openaiChat, openaiResponses } from '@hydra/core'
import type { Agent } from './agents/agent.ts'
import { AGENTS } from './agents/known-agents.ts'

/** How a program is sent to a server. */
type Line = (url: string, key: string) => string

const openai: Line = (url, key) => `OpenAI's SDKs: OPENAI_BASE_URL=${url}/v1 OPENAI_API_KEY=${key}`

const LINES: ReadonlyMap<DialectName, Line> = new Map<DialectName, Line>([
  [anthropic.name, (url, key) => `Claude Code: ANTHROPIC_BASE_URL=${url} ANTHROPIC_AUTH_TOKEN=${key} claude`],
  [openaiChat.name, openai],
  [openaiResponses.name, openai],
  [gemini.name, (url, key) => `Google's SDK: GOOGLE_GEMINI_BASE_URL=${url} GEMINI_API_KEY=${key}`],
])

/** How a program that speaks a dialect is sent to a server, as it can be typed. */
export function clientLine(dialect: DialectName, url: string, key = 'any'): string {
  return LINES.get(dialect)?.(url, key) ?? `clients of ${dialect}: ${url}`
}

/** The first agent that `hydra run` knows for a dialect. */
export function agentFor(dialect: DialectName): Pick<Agent, 'name' | 'title'> | undefined {
  return AGENTS.find(({ speaks }) => speaks === dialect)
}
