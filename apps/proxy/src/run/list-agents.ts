import { columns, type Environment, userEnvironment } from '@hydra/cli'
import { AGENTS } from './agents/known-agents.ts'
import { findProgram } from './find-program.ts'

/** What `hydra run --list` prints: the agents that are known, and which of them are installed. */
export function listAgents(env: Environment): string {
  const rows = AGENTS.map(({ name, title, npm, speaks }): readonly [string, string] => {
    const program = findProgram(name, userEnvironment(env))
    const place = program ?? `not installed: npm install -g ${npm}`
    return [name, `${title}, ${speaks}: ${place}`]
  })
  return [
    ...columns(rows),
    'Any other command gets the variables of the SDKs of Anthropic, OpenAI and Google.',
  ]
    .map((line) => `${line}\n`)
    .join('')
}
