import type { Outcome } from '../processes.ts'
import type { MatrixAgent } from './matrix-agent.ts'
import type { Asked, Said } from './provider.ts'
import type { Call } from './write-answer.ts'

/** One thing that must work for an agent on every upstream. */
export interface Scene {
  readonly name: string
  readonly title: string
  /** Begins it anew. */
  readonly begin: (agent: MatrixAgent) => Play
}

/** A scene while it is played. */
export interface Play {
  /** Files in the agent's folder. */
  readonly files?: Readonly<Record<string, string>>
  /** What the provider says. */
  readonly say: (asked: Asked, number: number) => Said
  /** Whether the agent has to be started again, to go on. */
  readonly goesOn?: (outcome: Outcome) => boolean
  /** Throws unless all is as it should be. */
  readonly expect: (ended: Ended) => void
}

/** What has come of a scene. */
export interface Ended {
  readonly outcome: Outcome
  /** The requests that offered tools: others are for titles. */
  readonly asked: readonly Asked[]
  /** The bodies of the provider's answers. */
  readonly sent: readonly string[]
  readonly folder: string
}

/** One step of a tool loop: calls, with words before them. */
export interface Step {
  readonly text?: string
  readonly thinking?: string
  readonly proof?: string
  readonly calls: readonly Call[]
}

/** How often the model has called tools. */
export function rounds({ request }: Asked): number {
  return request.messages.filter(
    ({ role, content }) =>
      role === 'assistant' && Array.isArray(content) && content.some(({ type }) => type === 'tool_use'),
  ).length
}

/** The texts of the results at the end of a conversation, in the order of their calls. */
export function lastResults({ request: { messages } }: Asked): readonly string[] {
  const at = messages.findLastIndex(({ role }) => role === 'assistant')
  const results = new Map(
    messages
      .slice(at + 1)
      .flatMap(({ content }) =>
        Array.isArray(content)
          ? content.flatMap((block) =>
              block.type === 'tool_result'
                ? [[block.tool_use_id, JSON.stringify(block.content)] as const]
                : [],
            )
          : [],
      ),
  )
  const calls = messages[at]?.content
  if (!Array.isArray(calls)) return []
  return calls.flatMap((block) => (block.type === 'tool_use' ? [results.get(block.id) ?? ''] : []))
}

/** Plays a loop step by step, and ends it with words that depend on the results of the last. */
export function loop(steps: readonly Step[], end: (results: readonly string[]) => string): Play['say'] {
  return (asked) => steps[rounds(asked)] ?? { text: end(lastResults(asked)) }
}
