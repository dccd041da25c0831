import { expect, test } from 'vitest'
import { modernSchema } from './modern-schema.ts'

test('a schema of the newest draft is the same object', () => {
  const schema = {
    type: 'object',
    properties: { required: { type: 'string', exclusiveMinimum: 1 }, list: { type: 'array', items: {} } },
    required: ['list'],
    default: { items: [1], required: true },
  }
  expect(modernSchema(schema)).toBe(schema)
})

function nested(inner: object): object {
  return { properties: { items: { anyOf: [inner] } }, $defs: { a: inner } }
}

test.each([
  [{ items: [{ type: 'string' }] }, { prefixItems: [{ type: 'string' }] }],
  [
    { items: [{}], additionalItems: false, maxItems: 1 },
    { maxItems: 1, prefixItems: [{}] },
  ],
  [
    { items: [{}], additionalItems: { type: 'null' } },
    { prefixItems: [{}], items: { type: 'null' } },
  ],
  [{ minimum: 0, exclusiveMinimum: true }, { exclusiveMinimum: 0 }],
  [{ maximum: 9, exclusiveMaximum: false }, { maximum: 9 }],
  [{ type: 'string', required: true }, { type: 'string' }],
])('%j becomes %j, at every depth', (old, modern) => {
  expect(modernSchema(old)).toEqual(modern)
  expect(modernSchema({ ...nested(old) })).toEqual(nested(modern))
})
