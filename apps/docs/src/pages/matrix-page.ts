import { providers, registry } from '@hydra/core'
import { AGENTS } from '../../../proxy/src/run/agents/known-agents.ts'
import { type Document, table } from '../document.ts'
import { waysTo } from './ways.ts'

/** Every client on every provider, from the registry of dialects and the table of providers. */
export function matrixPage(): Document {
  const clients = registry.clients.map(({ name }) => name)
  const rows = Object.values(providers).map((provider) => {
    const dialects = provider.speaks.map(({ dialect }) => `[\`${dialect}\`](dialects/${dialect}.md)`)
    const ways = clients.map((client) => waysTo(client, provider))
    return [`[${provider.name}](providers/${provider.name}.md)`, dialects.join(', ')].concat(ways)
  })
  const spoken = clients.map((client) => [
    `[\`${client}\`](dialects/${client}.md)`,
    AGENTS.filter(({ speaks }) => speaks === client)
      .map(({ name, title }) => `[${title}](agents/${name}.md)`)
      .join(', ') || 'programs on its SDKs',
    AGENTS.filter(({ alsoSpeaks = [] }) => alsoSpeaks.includes(client))
      .map(({ name, title }) => `[${title}](agents/${name}.md)`)
      .join(', '),
  ])
  return {
    path: 'matrix.md',
    text: `---
pageClass: wide
aside: false
---

# Every client on every provider

This page is made from the registry of dialects and the table of providers, so it cannot be out of date.

## What clients speak

${table(['dialect', 'agents that speak it', 'agents that can be told to'], spoken)}

Programs on the SDKs of Anthropic, OpenAI and Google speak these dialects too.

## Where they can go

The last columns are what a client speaks.

${table(['provider', 'is called in', ...clients.map((client) => `\`${client}\``)], rows)}

- **relayed**: both sides speak one dialect, and the answer comes back byte for byte, see [relay](relay.md).
- **translated**: through one form in the middle. What has no counterpart leaves a note; each dialect's page lists them.
- **either**: the provider is called in several dialects; requests are relayed where the model is called in the client's own, which some models ask for, or which \`"dialect"\` in the [configuration](configuration.md) chooses.
`,
  }
}
