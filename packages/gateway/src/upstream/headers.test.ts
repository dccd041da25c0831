import { profiles } from '@hydra/core'
import { expect, test } from 'vitest'
import type { Upstream } from '../options.ts'
import { Secret } from '../secret.ts'
import { callHeaders, passthroughHeaders, returnedHeaders } from './headers.ts'

const CLIENT = {
  host: 'localhost',
  authorization: 'Bearer client',
  'x-api-key': 'client',
  cookie: 'a=b',
  'user-agent': 'client/1',
  'anthropic-beta': 'b1,b2',
  'anthropic-version': '2099-01-01',
  'x-anything': 'y',
}

function upstream(rest: Partial<Upstream>): Upstream {
  return { dialect: 'openai-chat', url: 'http://x', profile: profiles.generic, ...rest }
}

test('a translated call has what the dialect says, and nothing else', () => {
  expect(callHeaders(upstream({}), { headers: {} })).toEqual({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'accept-encoding': 'identity',
    'user-agent': expect.stringMatching(/^hydra\//) as string,
  })
})

test('the dialect’s own headers win over ours', () => {
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'anthropic-version': '2023-06-01' }
  expect(callHeaders(upstream({}), { headers })).toMatchObject(headers)
})

test('the key goes where the profile says, and the upstream’s own headers win', () => {
  const key = new Secret('k')
  expect(callHeaders(upstream({ key }), { headers: {} })).toMatchObject({ authorization: 'Bearer k' })
  expect(callHeaders(upstream({ key, profile: profiles.anthropic }), { headers: {} })).toMatchObject({
    'x-api-key': 'k',
  })
  const headers = { 'user-agent': 'mine', 'x-extra': '1' }
  expect(callHeaders(upstream({ headers }), { headers: {} })).toMatchObject(headers)
})

test('a passthrough leaves out what belongs to the connection, to a browser or to us', () => {
  const headers = passthroughHeaders(
    {
      ...CLIENT,
      connection: 'keep-alive, X-Hop',
      'x-hop': '1',
      'transfer-encoding': 'chunked',
      'content-length': '5',
      te: 'trailers',
      'accept-encoding': 'gzip, br',
      'proxy-authorization': 'Basic x',
      'x-hydra-key': 'ours',
      'x-forwarded-for': '10.0.0.1',
      'sec-fetch-site': 'none',
      origin: 'http://localhost',
      ':authority': 'x',
      'x-several': ['a', 'b'],
      'x-none': undefined,
    },
    undefined,
  )
  expect(headers).toEqual({
    'accept-encoding': 'identity',
    authorization: 'Bearer client',
    'x-api-key': 'client',
    'user-agent': 'client/1',
    'anthropic-beta': 'b1,b2',
    'anthropic-version': '2099-01-01',
    'x-anything': 'y',
    'x-several': 'a, b',
  })
})

test('our own key is left out of a passthrough, whichever header it came in', () => {
  const key = new Secret('client')
  const headers = passthroughHeaders(CLIENT, key)
  expect(headers).not.toHaveProperty('authorization')
  expect(headers).not.toHaveProperty('x-api-key')
  expect(headers['x-anything']).toBe('y')
})

const basic = (words: string): string => `Basic ${Buffer.from(words).toString('base64')}`

test.each([
  ['K', 'Bearer  K'],
  ['K', 'bearer\tK'],
  ['K', 'Token K'],
  ['K', basic('user:K')],
  ['K', basic('K:')],
  ['long-enough', 'Custom credential="long-enough"'],
  ['long-enough', 'prefix-long-enough-suffix'],
  ['long-enough', basic('user:long-enough')],
])('our own key %s is not passed on as %s', (key, authorization) => {
  expect(passthroughHeaders({ authorization, 'x-anything': 'Key' }, new Secret(key))).toEqual({
    'accept-encoding': 'identity',
    'x-anything': 'Key',
  })
})

test('only known headers come back from an upstream', () => {
  const known = {
    'content-type': 'a',
    'retry-after': '1',
    'retry-after-ms': '1',
    'request-id': 'r',
    'x-request-id': 'r',
    'x-should-retry': 'true',
    'anthropic-ratelimit-tokens-reset': 'x',
    'x-ratelimit-limit-requests': '1',
    'anthropic-organization-id': 'o',
    'openai-organization': 'o',
  }
  const unknown = {
    'set-cookie': 'a',
    server: 'b',
    location: 'c',
    'x-request-content-type': 'd',
    connection: 'close',
    ratelimiter: 'e',
  }
  expect(returnedHeaders({ ...known, ...unknown, 'request-id2': undefined })).toEqual(known)
})
