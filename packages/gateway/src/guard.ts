import { headerOf, type HeaderValues, digest, HubError } from '@hydra/core'
import { keysInQuery } from './query.ts'
import type { GuardOptions } from './schema/guard.ts'

/** The parts of a request that may carry a key. */
export interface Presented {
  readonly headers: HeaderValues
  readonly query: string
}

/** Refuses requests that web pages or strangers could have sent. */
export function checkRequest(presented: Presented, guard: GuardOptions): HubError | undefined {
  const { headers } = presented
  return checkHost(headers, guard) ?? checkOrigin(headers, guard) ?? checkKey(presented, guard)
}

function checkHost(headers: HeaderValues, { hosts }: GuardOptions): HubError | undefined {
  if (hosts === undefined) return undefined
  const host = (headerOf(headers, 'host') ?? '').replace(/:\d+$/, '').toLowerCase()
  if (hosts.some((known) => known.toLowerCase() === host)) return undefined
  return new HubError('permission_error', 'the Host header names a host that this server is not known by')
}

function checkOrigin(headers: HeaderValues, { origins = [] }: GuardOptions): HubError | undefined {
  const origin = headerOf(headers, 'origin')
  if (origin !== undefined && origins.includes(origin)) return undefined
  const isCrossSite = headerOf(headers, 'sec-fetch-site') === 'cross-site'
  if (origin === undefined && !isCrossSite) return undefined
  return new HubError('permission_error', 'requests from web pages are refused')
}

function checkKey(presented: Presented, { key }: GuardOptions): HubError | undefined {
  if (key === undefined) return undefined
  const wanted = digest(key.reveal())
  if (presentedKeys(presented).some((one) => isSame(digest(one), wanted))) return undefined
  return new HubError(
    'authentication_error',
    'this server asks for a key: send it as x-api-key or Authorization: Bearer',
  )
}

/** The keys that a client sends, for us or for a provider. */
export function presentedKeys({ headers, query }: Presented): string[] {
  const bearer = headerOf(headers, 'authorization')?.replace(/^Bearer /i, '')
  const plain = KEY_HEADERS.map((name) => headerOf(headers, name))
  return [...plain, bearer, ...keysInQuery(query)].filter((key) => key !== undefined)
}

/** The headers in which clients of the various dialects send a key as it is. */
const KEY_HEADERS = ['x-hydra-key', 'x-api-key', 'x-goog-api-key', 'api-key'] as const

/** Compares digests in a time that does not depend on where they differ. */
function isSame(left: string, right: string): boolean {
  let difference = left.length ^ right.length
  for (let index = 0; index < right.length; index += 1) {
    difference |= left.charCodeAt(index) ^ right.charCodeAt(index)
  }
  return difference === 0
}
