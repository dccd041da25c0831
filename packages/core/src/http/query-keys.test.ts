import { expect, test } from 'vitest'
import { withoutQueryKeys } from './query-keys.ts'

test.each([
  ['/v1/x', '/v1/x'],
  ['/v1/x?alt=sse&key=abc', '/v1/x?alt=sse'],
  ['/v1/x?key=abc', '/v1/x'],
  ['?api_key=a&b=%20&access%5Ftoken=c&api-key=d', '?b=%20'],
  ['/v1/x?monkey=1&keys=2', '/v1/x?monkey=1&keys=2'],
])('%s is written down as %s', (path, kept) => {
  expect(withoutQueryKeys(path)).toBe(kept)
})
