import { spawnSync } from 'node:child_process'
import { basename } from 'node:path'
import type { Tape } from '@hydra/tape'
import { spanOf, summarizeSession } from '@hydra/inspector/summary'
import type { SessionCost } from './session-cost.ts'

/** What a session came to, in figures. */
export interface SessionFigures {
  readonly name: string
  readonly models: readonly string[]
  readonly turns: number
  /** Calls by the name of the tool. */
  readonly tools: Readonly<Record<string, number>>
  readonly inputTokens: number
  readonly outputTokens: number
  /** From the first request to the last piece of an answer, in microseconds. */
  readonly duration: number
  readonly cost: SessionCost
  /** What the model said last. */
  readonly finalText: string
  /** What a command says of the result; undefined if none was asked. */
  readonly verdict: 'passed' | 'failed' | 'not run' | undefined
}

/** What of a tape is compared with others. */
export function sessionFigures(tape: Tape, judged: Pick<SessionFigures, 'cost' | 'verdict'>): SessionFigures {
  const { exchanges, duration } = summarizeSession(tape)
  const turns = exchanges.filter(({ answer }) => (answer?.utterances.length ?? 0) > 0)
  const said = turns.flatMap(({ answer }) => answer?.utterances ?? [])
  const tools: Record<string, number> = {}
  for (const { kind, name = '' } of said) if (kind === 'call') tools[name] = (tools[name] ?? 0) + 1
  const sum = (field: 'input' | 'output'): number =>
    turns.reduce((total, { tokens }) => total + (tokens?.[field] ?? 0), 0)
  const models = turns.flatMap(({ request, calls }) => calls.at(-1)?.via?.model ?? request?.model ?? [])
  return {
    name: basename(tape.folder),
    models: [...new Set(models)],
    turns: turns.length,
    tools,
    inputTokens: sum('input'),
    outputTokens: sum('output'),
    duration,
    finalText: said.findLast(({ kind }) => kind === 'text')?.text ?? '',
    ...judged,
  }
}

/** Runs a command in a folder and says whether it ended well. */
export function verifyIn(folder: string, command: string): 'passed' | 'failed' {
  const { status } = spawnSync(command, { cwd: folder, shell: true, stdio: 'ignore' })
  return status === 0 ? 'passed' : 'failed'
}

/** The figures of a session in words, one for each row of a table. */
export function figureRows(figures: SessionFigures): readonly (readonly [string, string])[] {
  const { models, turns, tools, inputTokens, outputTokens, duration, cost, finalText, verdict } = figures
  const calls = Object.entries(tools).map(([name, count]) => `${name} ${count}`)
  return [
    ['model', models.join(', ') || '-'],
    ['turns', String(turns)],
    ['tools', calls.join(', ') || '-'],
    ['tokens in', String(inputTokens)],
    ['tokens out', String(outputTokens)],
    ['time', spanOf(duration)],
    ['cost', costWords(cost)],
    ...(verdict === undefined ? [] : [['verify', verdict] as const]),
    ['final text', finalText],
  ]
}

/** Dollars with as many digits as say something; a sum in which something is missing is told as such. */
function costWords({ usd, unpriced }: SessionCost): string {
  if (usd === undefined) return unpriced === 0 ? '-' : 'not known'
  const dollars = usd === 0 ? '$0' : `$${usd < 1 ? usd.toPrecision(3) : usd.toFixed(2)}`
  return unpriced === 0 ? dollars : `at least ${dollars}`
}
