import { expect, test } from 'vitest'
import { gatewayUrl } from './gateway-url.ts'

test.each([
  ['http://127.0.0.1:3456', '/_hydra/', 'http://127.0.0.1:3456'],
  ['https://a.example', '/llm/_hydra/', 'https://a.example/llm'],
  // A page that was opened from a disk has no address.
  ['null', '/home/me/page.html', ''],
])('clients of the page at %s%s ask %s', (origin, pathname, url) => {
  expect(gatewayUrl({ origin, pathname })).toBe(url)
})
