import type { HubBlock, HubMessage } from '../../src/index.ts'

/** One call and what came of it; without an output its result was lost. */
export interface Step {
  readonly tool: string
  readonly input: unknown
  readonly output?: string
  readonly failed?: boolean
}

/** A call that succeeds. */
export function call(tool: string, input: unknown, output: string): Step {
  return { tool, input, output }
}

/** A call that fails. */
export function failing(tool: string, input: unknown, output: string): Step {
  return { tool, input, output, failed: true }
}

/** A call whose result never comes. */
export function lost(tool: string, input: unknown): Step {
  return { tool, input }
}

/** A turn: calls side by side, or words of the user. */
export type Turn = readonly Step[] | string

/** A session as the history of its last request: what the user says, the calls, their results. */
export function session(...turns: readonly Turn[]): HubMessage[] {
  return turns.flatMap((turn, index): HubMessage[] => {
    if (typeof turn === 'string') return [{ role: 'user', content: turn }]
    const calls = turn.map(({ tool, input }, number): HubBlock => ({
      type: 'tool_use',
      id: `toolu_${index}_${number}`,
      name: tool,
      input,
    }))
    const results = turn.flatMap(({ output, failed }, number): HubBlock[] =>
      output === undefined
        ? []
        : [
            {
              type: 'tool_result',
              tool_use_id: `toolu_${index}_${number}`,
              content: output,
              ...(failed ? { is_error: true } : {}),
            },
          ],
    )
    return [
      { role: 'assistant', content: calls },
      { role: 'user', content: results.length > 0 ? results : [{ type: 'text', text: '' }] },
    ]
  })
}

/** The same turn with one call, so many times; the number of the time is given. */
export function times(count: number, step: (index: number) => Step): Step[][] {
  return Array.from({ length: count }, (_, index) => [step(index)])
}
