import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseOnlyOptions } from '../src/cli/parse-options.ts'
import { AGENTS } from '../src/run/agents/known-agents.ts'
import { RUN_OPTIONS } from '../src/settings/options.ts'
import { PROVIDERS } from '../src/settings/providers.ts'
import { readSettings } from '../src/settings/read-settings.ts'
import { configFile } from './temporary.ts'

function read(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
}

const CONFIGURATION = read('docs/configuration.md')
const PROVIDERS_TEXT = read('docs/providers.md')
const ALL = [CONFIGURATION, PROVIDERS_TEXT, read('apps/proxy/README.md')].join('\n')

/** The blocks of a language in a document. */
function blocks(text: string, language: string): string[] {
  return [...text.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, name, block = '']) =>
    name === language ? [block] : [],
  )
}

test.each(blocks(ALL, 'jsonc'))('an example of a configuration can be used: %#', async (text) => {
  const env = { HOME: '/nonexistent', TEAM_KEY: 'a', CLUSTER_KEY: 'b' }
  const { gateway } = await readSettings({ config: configFile(text) }, env)
  expect(gateway.routes.length).toBeGreaterThan(0)
})

const COMMANDS = blocks(ALL, 'sh')
  .flatMap((block) => block.split('\n'))
  .filter((line) => line.includes('hydra serve'))

test.each(COMMANDS)('a command can be typed: %s', async (line) => {
  const [variables = '', words = ''] = line.split('hydra serve')
  const env = Object.fromEntries(
    [...variables.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  )
  const args = (words.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ''))
  const settings = await readSettings(parseOnlyOptions('serve', args), { HOME: '/nonexistent', ...env })
  expect(settings.isDemo).toBe(false)
})

test('there are examples at all', () => {
  expect(COMMANDS.length).toBeGreaterThan(16)
  expect(blocks(ALL, 'jsonc').length).toBe(2)
})

test.each(Object.entries(PROVIDERS))(
  'the provider %s has a section with its key and a command',
  (name, provider) => {
    const section = PROVIDERS_TEXT.split(/^## /m).find((text) => text.startsWith(`${name}\n`))
    expect(section).toContain(name === 'openai' ? 'hydra serve --model' : `--provider ${name} `)
    expect(section).toContain(
      provider.keyVariable === undefined ? 'No key' : `Key: \`${provider.keyVariable}\``,
    )
  },
)

test.each(AGENTS)(
  'the agent $name has a row with what brings it and what it speaks',
  ({ name, title, npm, speaks }) => {
    const row = new RegExp(`^\\| ${title} +\\| \`${name}\`, \`${npm}\` +\\| \`${speaks}\` `, 'm')
    expect(read('docs/agents.md')).toMatch(row)
  },
)

interface Schema {
  readonly properties: Readonly<Record<string, { readonly properties?: object }>>
  readonly definitions: Readonly<Record<string, { readonly properties?: object }>>
}

test('every key of the configuration is described', () => {
  const { properties, definitions } = JSON.parse(read('apps/proxy/hydra.schema.json')) as Schema
  const top = Object.entries(properties).flatMap(([name, { properties: inner = {} }]) => {
    const below = Object.keys(inner).map((key) => `${name}.${key}`)
    return below.length > 0 ? below : [name]
  })
  const inner = ['upstream', 'route', 'match'].flatMap((name) =>
    Object.keys(definitions[name]?.properties ?? {}),
  )
  for (const name of [...top, ...inner].filter((key) => key !== '$schema')) {
    expect(CONFIGURATION).toMatch(new RegExp(`^\\|.*\`${name.replaceAll('.', '\\.')}\`.*\\|`, 'm'))
  }
})

const SOURCES = globSync('src/**/*.ts', { cwd: new URL('..', import.meta.url) })
const VARIABLES = new Set(
  SOURCES.flatMap((path) => read(`apps/proxy/${path}`).match(/\bHYDRA_[A-Z_]+/g) ?? []),
)

test.each([...Object.keys(RUN_OPTIONS).map((name) => `--${name}`), ...VARIABLES])('%s has a row', (name) => {
  expect(CONFIGURATION).toMatch(new RegExp(`^\\|.*\`[^\`]*${name}(?![\\w-])[^\`]*\`.*\\|$`, 'm'))
})

test('variables are found at all', () => {
  expect([...VARIABLES]).toEqual(expect.arrayContaining(['HYDRA_KEY', 'HYDRA_RECORD', 'HYDRA_DRAIN_LIMIT']))
})
