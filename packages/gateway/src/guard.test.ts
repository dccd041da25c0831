import { expect, test } from 'vitest'
import { checkRequest } from './guard.ts'
import type { GuardOptions } from './schema/guard.ts'
import { Secret } from './secret.ts'

function statusOf(headers: Record<string, string>, guard: GuardOptions): number | undefined {
  return checkRequest({ headers, query: '' }, guard)?.status
}

const HOSTS = { hosts: ['localhost', '127.0.0.1', '[::1]'] }

test.each([
  ['localhost', undefined],
  ['LOCALHOST:8787', undefined],
  ['127.0.0.1:1', undefined],
  ['[::1]:8787', undefined],
  ['evil.test', 403],
  ['localhost.evil.test', 403],
  ['127.0.0.1.evil.test:8787', 403],
  ['', 403],
])('the host %s', (host, status) => {
  expect(statusOf({ host }, HOSTS)).toBe(status)
})

test('a request without a host is refused where hosts are named, and only there', () => {
  expect(statusOf({}, HOSTS)).toBe(403)
  expect(statusOf({}, {})).toBeUndefined()
})

test('web pages are refused unless their origin is listed', () => {
  expect(statusOf({ origin: 'http://localhost:3000' }, {})).toBe(403)
  expect(statusOf({ origin: 'null' }, {})).toBe(403)
  expect(statusOf({ 'sec-fetch-site': 'cross-site' }, {})).toBe(403)
  expect(statusOf({ 'sec-fetch-site': 'none' }, {})).toBeUndefined()
  const guard = { origins: ['http://app.test'] }
  expect(statusOf({ origin: 'http://app.test', 'sec-fetch-site': 'cross-site' }, guard)).toBeUndefined()
  expect(statusOf({ origin: 'http://app.test.evil' }, guard)).toBe(403)
  expect(statusOf({ 'sec-fetch-site': 'cross-site' }, guard)).toBe(403)
})

test('the key is taken from the places where clients put it, and from no other', () => {
  const guard = { key: new Secret('the key') }
  expect(statusOf({ 'x-hydra-key': 'the key' }, guard)).toBeUndefined()
  expect(statusOf({ 'x-api-key': 'the key' }, guard)).toBeUndefined()
  expect(statusOf({ 'x-goog-api-key': 'the key' }, guard)).toBeUndefined()
  expect(statusOf({ 'api-key': 'the key' }, guard)).toBeUndefined()
  expect(checkRequest({ headers: {}, query: '?alt=sse&key=the%20key' }, guard)).toBeUndefined()
  expect(checkRequest({ headers: {}, query: '?other=the%20key' }, guard)?.status).toBe(401)
  expect(statusOf({ authorization: 'Bearer the key' }, guard)).toBeUndefined()
  expect(statusOf({ authorization: 'bearer the key', 'x-api-key': 'mine' }, guard)).toBeUndefined()
  for (const wrong of ['', 'the ke', 'the key ', 'the kex', 'THE KEY']) {
    expect(statusOf({ 'x-api-key': wrong }, guard)).toBe(401)
  }
  expect(statusOf({ 'x-other': 'the key' }, guard)).toBe(401)
  expect(statusOf({}, guard)).toBe(401)
})

test('a refusal quotes neither key', () => {
  const refusal = checkRequest(
    { headers: { 'x-api-key': 'presented' }, query: '' },
    { key: new Secret('wanted') },
  )
  expect(refusal?.message).not.toMatch(/presented|wanted/)
})
