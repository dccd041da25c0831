import { expect, test } from 'vitest'
import { typeName } from './type-name.ts'

test('a value is named by its JSON type', () => {
  const names = [null, undefined, [], {}, '', 0, false].map(typeName)
  expect(names).toEqual(['null', 'nothing', 'array', 'object', 'string', 'number', 'boolean'])
})
