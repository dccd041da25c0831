import { readFileSync, writeFileSync } from 'node:fs'
import { type ChatProfile, type LoopGuardOptions, profiles, type QProfile } from '@hydra/core'
import type { ModelPrices } from '@hydra/prices'
import { Ajv } from 'ajv'
import type * as v from 'valibot'
import { expect, expectTypeOf, test } from 'vitest'
import { jsonSchema, SCHEMA_FILE } from '../../test/json-schema.ts'
import { defineConfig } from './config.ts'
import type { overrides } from './overrides-schema.ts'
import type { loopGuard, modelPrices } from './schema.ts'

test('a configuration keeps its value and gets its types', () => {
  const config = { upstreams: { groq: {} }, routes: [{ upstream: 'groq', model: 'm' }] } as const
  expect(defineConfig(config)).toBe(config)
  // @ts-expect-error -- there is no such upstream
  defineConfig({ upstreams: { groq: {} }, routes: [{ upstream: 'grok' }] })
  // @ts-expect-error -- there is no such upstream, also not to fall back to
  defineConfig({ upstreams: { a: {} }, routes: [{ upstream: 'a', fallbacks: [{ upstream: 'b' }] }] })
  // @ts-expect-error -- there is no such profile
  defineConfig({ upstreams: { groq: { profile: 'grok' } } })
  // @ts-expect-error -- it is misspelt
  defineConfig({ prot: 1 })
  // @ts-expect-error -- milliseconds are a number
  defineConfig({ timeouts: { idle: '5s' } })
})

/** The fields of profiles that a configuration can change. */
type Overridable = Exclude<
  keyof ChatProfile | keyof QProfile,
  'name' | 'models' | 'callIds' | 'schema' | 'toolNameStart' | 'repeatedResults'
>

test('what the configuration says in its own words is what the packages take', () => {
  type Overrides = v.InferInput<typeof overrides>
  expectTypeOf<keyof Overrides>().toEqualTypeOf<Overridable>()
  expectTypeOf<NonNullable<Overrides['reasoning']>['kind']>().toEqualTypeOf<
    ChatProfile['reasoning']['kind']
  >()
  expectTypeOf<v.InferInput<typeof modelPrices>>().toExtend<ModelPrices>()
  expectTypeOf<keyof v.InferInput<typeof modelPrices>>().toEqualTypeOf<keyof ModelPrices>()
  expectTypeOf<keyof v.InferInput<typeof loopGuard>>().toEqualTypeOf<keyof LoopGuardOptions>()
})

// UPDATE_GOLDENS=1 writes the file anew; `pnpm format` gives it its form.
test('the schema for editors is made of the one that checks', () => {
  const schema = jsonSchema()
  if (process.env['UPDATE_GOLDENS'] === '1')
    writeFileSync(SCHEMA_FILE, `${JSON.stringify(schema, null, 2)}\n`)
  expect(JSON.parse(readFileSync(SCHEMA_FILE, 'utf8'))).toEqual(schema)
})

test('a validator of JSON schemas can use it', () => {
  const validate = new Ajv({ strict: true, strictTypes: false }).compile(jsonSchema() as object)
  expect(
    validate({ $schema: './hydra.schema.json', upstreams: { groq: {} }, routes: [{ upstream: 'groq' }] }),
  ).toBe(true)
  expect(validate({ prot: 1 })).toBe(false)
  expect(validate({ upstreams: { a: { overrides: { reasoning: { kind: 'effort' } } } } })).toBe(false)
  expect(validate({ upstreams: { a: { dialect: 'toy' } } })).toBe(false)
})

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly definitions?: Readonly<Record<string, Schema>>
  readonly description?: string
}

test('every key has words for people', () => {
  const silent: string[] = []
  const look = (name: string, { properties = {}, definitions = {} }: Schema): void => {
    for (const [key, part] of Object.entries(properties)) {
      if (part.description === undefined) silent.push(`${name}.${key}`)
      look(`${name}.${key}`, part)
    }
    for (const [key, part] of Object.entries(definitions)) look(key, part)
  }
  look('config', jsonSchema() as Schema)
  expect(silent).toEqual([])
})

test('the schema knows everything of a profile that JSON can express', () => {
  const { definitions } = JSON.parse(readFileSync(SCHEMA_FILE, 'utf8')) as Schema
  const everything = { ...profiles['amazon-q'], ...profiles.generic }
  const { name: _name, models: _models, callIds: _ids, schema: _rule, ...overridable } = everything
  expect(Object.keys(definitions?.['overrides']?.properties ?? {}).toSorted()).toEqual(
    Object.keys(overridable).toSorted(),
  )
})
