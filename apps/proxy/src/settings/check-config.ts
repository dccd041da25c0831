import { readFileSync } from 'node:fs'
import { didYouMean, UsageError } from '@hydra/cli'
import { profiles, registry } from '@hydra/core'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { Config } from './config.ts'

/** The way to a value of the configuration: keys and indexes. */
export type ConfigPath = readonly (string | number)[]

/** What a configuration file holds, before it is checked, and where. */
export interface ConfigSource {
  readonly value: unknown
  /** The file and, where it is known, the line of a value. */
  place(path: ConfigPath): string
}

/** A path as messages write it. */
export function shownPath(path: ConfigPath): string {
  return path.length === 0 ? 'the configuration' : path.join('.')
}

/** The configuration, if it is one; otherwise all its faults, each with its line. No value is quoted. */
export function checkConfig(source: ConfigSource): Config {
  const validate = validator()
  if (validate(source.value)) return source.value as Config
  // What is wrong with the name of a header is said by the pattern, once is enough.
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'propertyNames')
  const faults = errors.map((error) => {
    const path = pathOf(error.instancePath)
    const place = source.place(isUnknownKey(error) ? [...path, unknownKeyOf(error)] : path)
    return `${place}: ${shownPath(path)}: ${messageOf(error)}`
  })
  throw new UsageError([...new Set(faults)].join('\n'))
}

/** Compiled each time: a dialect may have been registered since. */
function validator(): ValidateFunction {
  return new Ajv({ allErrors: true, strict: true, discriminator: true, verbose: true }).compile(
    configSchema(),
  )
}

interface Schema {
  readonly definitions: { readonly upstream: { readonly properties: object } }
}

/** The schema: the file of the package, which editors use as well, with the dialects and profiles that there are. */
export function configSchema(): Schema {
  const schema = JSON.parse(
    readFileSync(new URL('../../hydra.schema.json', import.meta.url), 'utf8'),
  ) as Schema
  const { upstream } = schema.definitions
  const dialect = { enum: registry.upstreams.map(({ name }) => name) }
  const profile = { enum: Object.keys(profiles) }
  return {
    ...schema,
    definitions: {
      ...schema.definitions,
      upstream: { ...upstream, properties: { ...upstream.properties, dialect, profile } },
    },
  }
}

function isUnknownKey({ keyword }: ErrorObject): boolean {
  return keyword === 'additionalProperties'
}

function unknownKeyOf({ params }: ErrorObject): string {
  return String(params['additionalProperty'])
}

/** What patterns ask for, in words. */
const PATTERNS: Readonly<Record<string, string>> = {
  '^env:[A-Za-z_][A-Za-z0-9_]*$': 'expected env:NAME, the name of an environment variable',
  '^https?://': 'expected an http or https address',
  "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$": 'expected the name of a header',
  '^(?!env:)[ -~]*$': 'expected plain text; only key can be env:NAME',
}

/** What types are called. */
const TYPES: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
}

/** What is wrong, in words, by the keyword of the schema that was not met. */
const MESSAGES: Readonly<Record<string, (error: ErrorObject) => string>> = {
  additionalProperties: unknownKey,
  required: ({ params }) => `the key '${String(params['missingProperty'])}' is missing`,
  enum: ({ params }) => `expected one of ${(params['allowedValues'] as unknown[]).map(shownWord).join(', ')}`,
  pattern: ({ params, message }) =>
    PATTERNS[String(params['pattern'])] ?? `expected a string that ${message}`,
  type: ({ params }) => `expected ${[params['type']].flat().map(typeName).join(' or ')}`,
  minimum: ({ params }) => `expected at least ${String(params['limit'])}`,
  maximum: ({ params }) => `expected at most ${String(params['limit'])}`,
  minItems: () => 'expected at least one value',
  minLength: ({ params }) => `expected at least ${String(params['limit'])} characters`,
  discriminator: ({ params, parentSchema }) =>
    `expected ${String(params['tag'])} to be one of ${tagsOf(parentSchema, String(params['tag'])).join(', ')}`,
}

function messageOf(error: ErrorObject): string {
  return MESSAGES[error.keyword]?.(error) ?? error.message ?? error.keyword
}

function unknownKey(error: ErrorObject): string {
  const key = unknownKeyOf(error)
  const known = Object.keys((error.parentSchema?.['properties'] as object | undefined) ?? {})
  return [`unknown key '${key}'`, didYouMean(key, known) ?? []].flat().join('; ')
}

function tagsOf(schema: ErrorObject['parentSchema'], tag: string): readonly string[] {
  const variants = (schema?.['oneOf'] ?? []) as { properties?: Record<string, { const?: string }> }[]
  return variants.flatMap(({ properties }) => properties?.[tag]?.const ?? [])
}

function typeName(type: unknown): string {
  return TYPES[String(type)] ?? String(type)
}

function shownWord(value: unknown): string {
  return value === '' ? '""' : String(value)
}

function pathOf(instancePath: string): ConfigPath {
  return instancePath
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')))
}
