import { createHmac, timingSafeEqual } from 'node:crypto'
import { headerOf, type HeaderValues } from '@hydra/core'
import type { Exchange, InspectedGateway } from '@hydra/gateway'

/** Whether a request may see what is inspected: yes, not without the key, or not at all and why. */
export type Access =
  | { readonly verdict: 'allowed' }
  | { readonly verdict: 'key' | 'refused'; readonly reason: string }

/** The cookie that stands for the key. */
const COOKIE = 'hydra_inspector'
const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]', '::1']
const SAME_ORIGIN: ReadonlySet<string> = new Set(['same-origin', 'none'])
const KEY_HEADERS = ['x-hydra-key', 'x-api-key'] as const

/** Lets in only pages of the own origin, and only with the key if there is one. */
export function checkAccess({ headers, method }: Exchange, { guard }: InspectedGateway): Access {
  const stranger = foreignHost(headers, guard) ?? foreignPage(headers, method)
  if (stranger !== undefined) return { verdict: 'refused', reason: stranger }
  const key = guard?.key?.reveal()
  if (key === undefined || bringsKey(headers, key)) return { verdict: 'allowed' }
  return { verdict: 'key', reason: 'the inspector asks for the key of this server' }
}

/** Whether a page may be shown the form that asks for the key: it holds nothing of what is inspected. */
export function mayOpenPage({ headers }: Exchange, { guard }: InspectedGateway): boolean {
  return foreignHost(headers, guard) === undefined
}

/** The cookie for somebody who typed the key; undefined if it is not the key. */
export function cookieFor(typed: string, { guard }: InspectedGateway): string | undefined {
  const key = guard?.key?.reveal()
  if (key === undefined || !isSame(typed, key)) return undefined
  return `${COOKIE}=${tokenOf(key)}; Path=/; HttpOnly; SameSite=Strict`
}

/** A web page can make a browser call any address, but not under a Host of its choice. */
function foreignHost(headers: HeaderValues, guard: InspectedGateway['guard']): string | undefined {
  const host = (headerOf(headers, 'host') ?? '').replace(/:\d+$/, '').toLowerCase()
  // Somebody who brings the key may come from anywhere, unless the server knows its own names.
  const known = guard?.hosts ?? (guard?.key === undefined ? LOOPBACK : undefined)
  if (known === undefined || known.includes(host)) return undefined
  return 'the Host header names a host that this server is not known by; other machines need a key to be set'
}

function foreignPage(headers: HeaderValues, method: string): string | undefined {
  const site = headerOf(headers, 'sec-fetch-site')
  if (site !== undefined && !SAME_ORIGIN.has(site)) return 'only pages of this server may look'
  const origin = headerOf(headers, 'origin')
  if (origin === undefined) return undefined
  const host = headerOf(headers, 'host') ?? ''
  const isOwn = origin === `http://${host}` || origin === `https://${host}`
  return isOwn ? undefined : `only pages of this server may ${method === 'GET' ? 'look' : 'act'}`
}

function bringsKey(headers: HeaderValues, key: string): boolean {
  const bearer = headerOf(headers, 'authorization')?.replace(/^Bearer /i, '')
  const plain = [...KEY_HEADERS.map((name) => headerOf(headers, name)), bearer]
  if (plain.some((one) => one !== undefined && isSame(one, key))) return true
  return cookiesOf(headers).some((value) => isSame(value, tokenOf(key)))
}

function cookiesOf(headers: HeaderValues): string[] {
  return (headerOf(headers, 'cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${COOKIE}=`))
    .map((pair) => pair.slice(COOKIE.length + 1))
}

/** It says that somebody knew the key, and not the key. */
function tokenOf(key: string): string {
  return createHmac('sha256', key).update('hydra inspector').digest('base64url')
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digestOf(one), digestOf(other))
}

function digestOf(text: string): Buffer {
  return createHmac('sha256', 'compare').update(text).digest()
}
