import { type DialectName, registry } from '@hydra/core'
import type { Agent, AgentSetup } from '../../../proxy/src/run/agents/agent.ts'
import { AGENTS } from '../../../proxy/src/run/agents/known-agents.ts'
import { TemporaryFiles } from '../../../proxy/src/run/temporary-files.ts'
import { type Document, shell, table, tableOf } from '../document.ts'
import { readText } from '../repository.ts'
import { wayBetween } from './ways.ts'

const URL_OF_PROXY = 'http://127.0.0.1:3456'
const MODEL = 'gpt-5.1'

/** A page for each agent that `hydra run` knows. */
export function agentPages(): readonly Document[] {
  const rows = tableOf(readText('docs/agents.md'))
  return AGENTS.map((agent) => ({ path: `agents/${agent.name}.md`, text: pageOf(agent, rows) }))
}

function pageOf(agent: Agent, rows: readonly (readonly string[])[]): string {
  const { name, title, npm, speaks, alsoSpeaks = [], needsModel } = agent
  const gets = rows.find(([cell]) => cell === title)?.at(-1) ?? ''
  return [
    `# ${title}`,
    `${title} (\`${name}\`) speaks [\`${speaks}\`](../dialects/${speaks}.md)${alsoSpeaksText(alsoSpeaks)}. \`hydra run\` sets what it needs for one run; nothing of its own settings is changed.`,
    '## Install it',
    shell([`npm install -g ${npm}`], 'installs a program of somebody else'),
    '## Run it',
    'On the built-in demo model, which needs no key:',
    shell([`hydra run ${name}`]),
    'On a model of a provider, or on one that runs on your own machine:',
    shell([
      `OPENAI_API_KEY=… hydra run --model ${MODEL} ${name}`,
      `hydra run --provider ollama --model qwen3-coder ${name}`,
      ...alsoSpeaks
        .slice(0, 1)
        .map((other) => `OPENAI_API_KEY=… hydra run --model ${MODEL} --speak ${other} ${name}`),
    ]),
    needsModel
      ? `${title} is told the name of the model: the one of \`--model\`, or the first that the routes of your [configuration](../configuration.md) name.`
      : `${title} asks for models of its own maker by name; the routes say who answers. The log line of each request shows both.`,
    'In a clone without an installed Hydra, write `npx -y pnpm@12.18.0 hydra run` for `hydra run`.',
    '## What it gets',
    gets === '' ? '' : `${gets}.`,
    byHand(agent),
    '## Where its requests go',
    table(
      ['upstream', 'how'],
      registry.upstreams.map(({ name: upstream }) => [
        `[\`${upstream}\`](../dialects/${upstream}.md)`,
        wayBetween(speaks, upstream),
      ]),
    ),
    'All providers are in [the table of clients and providers](../matrix.md); more about agents is in [agents](../agents.md).',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function alsoSpeaksText(dialects: readonly DialectName[]): string {
  if (dialects.length === 0) return ''
  return `, and with \`--speak\` also ${dialects.map((dialect) => `[\`${dialect}\`](../dialects/${dialect}.md)`).join(', ')}`
}

/** The commands that do without `hydra run`, from the very function that it calls. */
function byHand(agent: Agent): string {
  const setup = setUp(agent)
  if (setup === undefined) return ''
  const variables = Object.entries(setup.env).flatMap(([name, value]) =>
    value === undefined ? [] : [`export ${name}=${quoted(value)}`],
  )
  const command = [agent.name, ...(setup.args ?? []).map(quoted)].join(' ')
  return [
    'The same by hand, beside a proxy that runs (`hydra serve`):',
    shell(
      [...variables, command],
      'starts a program of somebody else; hydra run is tested with what it sets',
    ),
  ].join('\n\n')
}

/** What `hydra run` would set; nothing where the agent needs a file that only lives as long as it does. */
function setUp(agent: Agent): AgentSetup | undefined {
  let needsFile = false
  class NoFiles extends TemporaryFiles {
    override write(name: string): string {
      needsFile = true
      return name
    }
    override link(): void {
      needsFile = true
    }
  }
  const proxy = { url: URL_OF_PROXY, key: undefined, passes: false }
  const files = new NoFiles()
  const setup = agent.setUp({
    proxy,
    dialect: agent.speaks,
    key: 'any',
    model: MODEL,
    env: { HOME: '/nonexistent' },
    files,
  })
  return needsFile ? undefined : setup
}

function quoted(value: string): string {
  return /^[\w./:@-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`
}
