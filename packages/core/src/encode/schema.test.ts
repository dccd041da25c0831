import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Notes } from '../hub/note.ts'
import type { JsonObject } from '../json/json-object.ts'
import { chatProfiles } from '../providers/chat-profiles.ts'
import type { SchemaRule } from '../profiles/profile.ts'
import { encodeSchema, isStrictSchema } from './schema.ts'

const GENERIC = chatProfiles.generic.schema
const GEMINI = chatProfiles.gemini.schema

/** A schema as the upstream gets it, with the codes of the notes. */
function encoded(schema: JsonObject, rule: SchemaRule = GENERIC): { schema: JsonObject; codes: string[] } {
  const notes = new Notes()
  const result = encodeSchema(schema, { rule, path: 'tools[0].input_schema', notes })
  return { schema: result, codes: notes.list.map(({ code }) => code) }
}

test('R21: a schema that needs nothing is passed on as the same object', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'array', items: { type: 'string' } } },
    required: ['a'],
  }
  expect(encoded(schema)).toEqual({ schema, codes: [] })
  expect(encoded(schema).schema).toBe(schema)
})

test.each([{}, { type: 'object' }, { type: 'object', properties: null }, { type: 'string' }])(
  'R21: the schema %j gets its type and properties',
  (schema) => {
    expect(encoded(schema).schema).toEqual({ type: 'object', properties: {} })
  },
)

test('R21: $schema goes at every depth without a note, but a property of that name stays', () => {
  const schema = {
    $schema: 'x',
    type: 'object',
    properties: { $schema: { $schema: 'y', type: 'string' } },
    $defs: { a: { $schema: 'z' } },
  }
  expect(encoded(schema)).toEqual({
    schema: { type: 'object', properties: { $schema: { type: 'string' } }, $defs: { a: {} } },
    codes: [],
  })
})

test('R21: an array without items gets some, wherever it is', () => {
  const schema = {
    type: 'object',
    properties: {
      list: { type: 'array' },
      maybe: { type: ['array', 'null'] },
      nested: { anyOf: [{ type: 'string' }, { type: 'array' }] },
    },
  }
  expect(encoded(schema).schema['properties']).toEqual({
    list: { type: 'array', items: {} },
    maybe: { type: ['array', 'null'], items: {} },
    nested: { anyOf: [{ type: 'string' }, { type: 'array', items: {} }] },
  })
})

test('R21: data inside a schema is no schema', () => {
  const data = { type: 'array', $schema: 'x' }
  const schema = {
    type: 'object',
    properties: { a: { default: data, enum: [data], examples: [data], const: data } },
  }
  expect(encoded(schema).schema).toBe(schema)
})

const UNION = {
  type: 'object',
  properties: { a: { type: 'boolean' } },
  required: ['a'],
  oneOf: [
    { properties: { a: { type: 'string' }, b: {}, d: {} }, required: ['b', 'd'] },
    { properties: { c: {}, d: {} }, required: ['c', 'd'] },
  ],
}

test('R21: oneOf at the top is merged: all properties, and required what every variant requires', () => {
  expect(encoded(UNION)).toEqual({
    schema: {
      type: 'object',
      properties: { a: { type: 'boolean' }, b: {}, c: {}, d: {} },
      required: ['a', 'd'],
    },
    codes: ['schema_flattened'],
  })
})

test('R21: allOf at the top requires what any part requires', () => {
  const schema = {
    allOf: [
      { properties: { a: {} }, required: ['a'] },
      { properties: { b: {} }, required: ['b'] },
    ],
  }
  expect(encoded(schema).schema).toEqual({
    type: 'object',
    properties: { a: {}, b: {} },
    required: ['a', 'b'],
  })
})

test('R21: enum, const and not at the top go with a note', () => {
  expect(encoded({ type: 'object', properties: {}, enum: [1], const: 1, not: {} })).toEqual({
    schema: { type: 'object', properties: {} },
    codes: ['schema_flattened'],
  })
})

test('R21: a union stays where the profile takes it', () => {
  const rule = { refusedKeywords: [], flattensTop: false }
  expect(encoded(UNION, rule)).toEqual({ schema: UNION, codes: [] })
})

test('R21: a union below the top stays', () => {
  const schema = { type: 'object', properties: { a: { oneOf: [{ type: 'string' }, { type: 'number' }] } } }
  expect(encoded(schema).schema).toBe(schema)
})

test('R21: keywords that Gemini refuses go with a note, and stay elsewhere', () => {
  const schema = {
    type: 'object',
    additionalProperties: false,
    properties: {
      const: { type: 'number', exclusiveMinimum: 0 },
      map: { type: 'object', additionalProperties: { const: 1 }, propertyNames: {} },
    },
  }
  expect(encoded(schema, GEMINI)).toEqual({
    schema: { type: 'object', properties: { const: { type: 'number' }, map: { type: 'object' } } },
    codes: ['schema_keyword_dropped', 'schema_keyword_dropped', 'schema_keyword_dropped'],
  })
  expect(encoded(schema).schema).toBe(schema)
})

test('R22: a schema is strict when every object in it is closed and requires all it has', () => {
  const closed = { type: 'object', properties: { a: {} }, required: ['a'], additionalProperties: false }
  expect(isStrictSchema(closed)).toBe(true)
  expect(isStrictSchema({ ...closed, properties: { a: {}, b: {} } })).toBe(false)
  expect(isStrictSchema({ ...closed, additionalProperties: true })).toBe(false)
  expect(isStrictSchema({ ...closed, required: undefined })).toBe(false)
  expect(isStrictSchema({ type: 'array', items: closed })).toBe(true)
  expect(isStrictSchema({ anyOf: [closed, { type: 'object', properties: {} }] })).toBe(false)
})

test('R22: an open object behind a property that is named like a keyword is seen', () => {
  const closed = { type: 'object', required: ['default'], additionalProperties: false }
  expect(isStrictSchema({ ...closed, properties: { default: { type: 'object', properties: {} } } })).toBe(
    false,
  )
  expect(
    isStrictSchema({ ...closed, properties: { default: { type: 'string', const: { type: 'object' } } } }),
  ).toBe(true)
})

test.each(['default', 'oneOf', 'allOf', 'patternProperties', 'uniqueItems'])(
  'R22: a schema with %s is not strict: OpenAI refuses it there',
  (keyword) => {
    const inner = { type: 'string', [keyword]: [] }
    const closed = { type: 'object', required: ['a'], additionalProperties: false }
    expect(isStrictSchema({ ...closed, properties: { a: inner } })).toBe(false)
    expect(isStrictSchema({ ...closed, required: [keyword], properties: { [keyword]: {} } })).toBe(true)
  },
)

test('R22: an object that may be null is an object', () => {
  expect(isStrictSchema({ type: ['object', 'null'], properties: {} })).toBe(false)
})

const schemaValue = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.dictionary(
    fc.constantFrom(
      'type',
      'properties',
      'items',
      'oneOf',
      'anyOf',
      '$schema',
      'const',
      'default',
      'required',
      '__proto__',
    ),
    fc.oneof(
      fc.constantFrom('object', 'array', 'string'),
      fc.constant(null),
      tie('schema'),
      fc.array(tie('schema'), { maxLength: 2 }),
    ),
    { maxKeys: 4 },
  ),
})).schema

test('R21: whatever the schema, the result is an object schema, again the same, and the input is untouched', () => {
  fc.assert(
    fc.property(schemaValue, fc.constantFrom(GENERIC, GEMINI), (schema, rule) => {
      const before = JSON.stringify(schema)
      const once = encoded(schema, rule).schema
      expect(once['type']).toBe('object')
      expect(typeof once['properties']).toBe('object')
      expect(encoded(once, rule).schema).toEqual(once)
      expect(JSON.stringify(schema)).toBe(before)
    }),
    { numRuns: 500, seed: 1 },
  )
})

const INPUT = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }

test.each([
  [{ $ref: '#/definitions/Input', definitions: { Input: INPUT } }],
  [{ $ref: '#/$defs/One', $defs: { One: { $ref: '#/$defs/Two' }, Two: INPUT } }],
  [{ type: 'object', allOf: [{ $ref: '#/$defs/Input' }], $defs: { Input: INPUT } }],
  [{ anyOf: [{ $ref: '#/$defs/a~1b' }], $defs: { 'a/b': INPUT } }],
])('R21: a reference at the top, as in %j, is what it refers to', (schema) => {
  const told = encoded(schema, { refusedKeywords: [], flattensTop: true }).schema
  expect(told).toMatchObject(INPUT)
  expect(told).not.toHaveProperty('$ref')
})

test.each(['#/$defs/Loop', '#/nowhere', 'https://example.com/x.json', '#'])(
  'R21: the reference %s at the top leads nowhere, and the schema stays an object',
  ($ref) => {
    const schema = { $ref, $defs: { Loop: { $ref: '#/$defs/Loop' } } }
    expect(encoded(schema).schema).toMatchObject({ type: 'object', properties: {} })
  },
)
