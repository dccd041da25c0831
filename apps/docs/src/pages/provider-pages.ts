import { type Provider, providers, registry } from '@hydra/core'
import { AGENTS } from '../../../proxy/src/run/agents/known-agents.ts'
import { type Document, sectionOf, shell, table } from '../document.ts'
import { readText } from '../repository.ts'
import { waysTo } from './ways.ts'

/** A page for each provider that is known by name: its row of the table in core, and its section in docs/providers.md. */
export function providerPages(): readonly Document[] {
  const text = readText('docs/providers.md')
  return Object.values(providers).map((provider) => ({
    path: `providers/${provider.name}.md`,
    text: pageOf(provider, sectionOf(text, `## ${provider.name}`)),
  }))
}

function pageOf(provider: Provider, section: string): string {
  const { name, url, keyVariable, speaks } = provider
  const command = /^.*hydra serve.*$/m.exec(section)?.[0] ?? `hydra serve --provider ${name}`
  const options = command.split('hydra serve ')[1] ?? ''
  const variable = keyVariable === undefined ? '' : `${keyVariable}=… `
  const dialects = speaks.map(({ dialect }) => `[\`${dialect}\`](../dialects/${dialect}.md)`)
  return [
    `# ${name}`,
    [
      `- **Address**: ${url === undefined ? 'none of its own, `--target-url` says it' : `\`${url}\``}`,
      `- **Key**: ${keyVariable === undefined ? 'none of its own' : `in \`${keyVariable}\``}`,
      `- **Is called in**: ${dialects.join(', ')}`,
    ].join('\n'),
    '## Start it',
    fromPage(section),
    '## An agent on it',
    shell(AGENTS.slice(0, 3).map((agent) => `${variable}hydra run ${options} ${agent.name}`)),
    '## Does it work?',
    'Checks the port, the key and the address, asks the model once, and says what to do:',
    shell([`${variable}hydra doctor ${options}`], 'asks a provider'),
    '## How clients reach it',
    table(
      ['client', 'way'],
      registry.clients.map(({ name: client }) => [
        `[\`${client}\`](../dialects/${client}.md)`,
        waysTo(client, provider),
      ]),
    ),
    'In a clone, write `npx -y pnpm@12.18.0 start` for `hydra serve` and `npx -y pnpm@12.18.0 hydra` for `hydra`. All providers are in [the table of clients and providers](../matrix.md).',
  ].join('\n\n')
}

/** A section of a page one folder further up: its links lead from there. */
function fromPage(section: string): string {
  return section.replaceAll(/\]\((?![a-z]+:|#|\/)/g, '](../')
}
