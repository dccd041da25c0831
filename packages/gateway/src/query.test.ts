import { expect, test } from 'vitest'
import { keysInQuery, queryOf, withoutKeys } from './query.ts'

test.each([
  ['', ''],
  ['?beta=true', '?beta=true'],
  ['?alt=sse&key=secret', '?alt=sse'],
  ['?key=secret', ''],
  ['?%6Bey=secret&alt=sse&alt=json', '?alt=sse&alt=json'],
  ['?api_key=a&x=1&access_token=b', '?x=1'],
])('%s is passed on as %s', (query, passed) => {
  expect(withoutKeys(query)).toBe(passed)
})

test('the keys of a query are found, and are no field of it', () => {
  expect(keysInQuery('?alt=sse&key=secret')).toEqual(['secret'])
  expect(queryOf('?alt=sse&key=secret&alt=json')).toEqual({ alt: 'json' })
  expect(queryOf('')).toEqual({})
})

test('of a query with thousands of keys only a few are looked at', () => {
  const query = `?${Array.from({ length: 5000 }, (_, index) => `key=${index}`).join('&')}`
  expect(keysInQuery(query)).toEqual(['0', '1', '2', '3'])
  expect(withoutKeys(query)).toBe('')
})
