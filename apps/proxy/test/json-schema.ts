import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { registry } from '@hydra/core'
import * as shared from '@hydra/gateway/schema'
import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema'
import * as overrides from '../src/config/overrides-schema.ts'
import * as own from '../src/config/schema.ts'

/** The file for editors. */
export const SCHEMA_FILE: URL = new URL('../hydra.schema.json', import.meta.url)

const SHARED = new URL('../../../packages/gateway/src/schema/', import.meta.url)
const OWN = new URL('../src/config/', import.meta.url)

/** Where the schema is written, with the words for people above each of its keys. Of two equal names ours counts. */
const SOURCES = [
  ...globSync('*.ts', { cwd: fileURLToPath(SHARED) }).map((name) => new URL(name, SHARED)),
  ...globSync('*schema.ts', { cwd: fileURLToPath(OWN) }).map((name) => new URL(name, OWN)),
]

/** The words above the keys of an object, and the objects whose keys it takes over. */
interface Described {
  readonly words: ReadonlyMap<string, string>
  readonly takes: readonly string[]
}

/** What is said of each object of the sources, by the file and the name of its constant. */
function describedIn(file: URL): readonly [string, Described][] {
  const text = readFileSync(file, 'utf8')
  const blocks = text.split(/^(?:export )?const (?=\w+ = )/m).slice(1)
  return blocks.map((block) => {
    const [name = ''] = /^\w+/.exec(block) ?? []
    const words = [...block.matchAll(/^ {2}\/\*\* (.*) \*\/\n {2}([\w$]+):/gm)]
    const takes = [...block.matchAll(/^ {2}\.\.\.(\w+),/gm)]
    return [
      name,
      {
        words: new Map(words.map(([, said = '', key = '']) => [key, said.replaceAll('`', '')])),
        takes: takes.map(([, taken = '']) => taken),
      },
    ]
  })
}

const described = new Map(SOURCES.flatMap(describedIn))

function wordsOf(name: string): ReadonlyMap<string, string> {
  const { words, takes } = described.get(name) ?? { words: new Map<string, string>(), takes: [] }
  const taken = takes.flatMap((other) => Array.from(wordsOf(other)))
  return new Map([...taken, ...words])
}

const modules = { ...shared, ...overrides, ...own }
const nameOf = new Map<unknown, string>(Object.entries(modules).map(([name, schema]) => [schema, name]))

/** The parts that have a name of their own in the file. */
const { upstream, clientKey, modelPrices } = own
const { route, match, target } = shared
const definitions = { upstream, overrides: overrides.overrides, target, route, match, clientKey, modelPrices }

/** Those that there are by now; the check asks for them when it runs. */
function dialectNames(): object {
  return { enum: registry.upstreams.map(({ name }) => name) }
}

/** The schema for editors, made of the one that checks and of the words above its keys. */
export function jsonSchema(): JsonSchema {
  const made = toJsonSchema(own.config, {
    definitions,
    ignoreActions: ['check'],
    overrideSchema: ({ valibotSchema, jsonSchema: part }) => {
      const words = wordsOf(nameOf.get(valibotSchema) ?? '')
      const properties = Object.entries(part.properties ?? {}).map(([key, value]) => {
        const description = words.get(key)
        const kind = valibotSchema === upstream && key === 'dialect' ? dialectNames() : (value as object)
        return [key, description === undefined ? kind : { ...kind, description }]
      })
      return properties.length === 0 ? undefined : { ...part, properties: Object.fromEntries(properties) }
    },
  })
  const { $schema, ...rest } = made
  const schema = {
    $schema,
    $id: 'hydra.schema.json',
    title: 'Configuration of the Hydra proxy',
    ...rest,
  }
  // Its name in the draft that editors know best.
  return JSON.parse(JSON.stringify(schema).replaceAll('$defs', 'definitions')) as JsonSchema
}
