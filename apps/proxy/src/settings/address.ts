import { isIPv4 } from 'node:net'
import { UsageError } from '@hydra/cli'
import { type GatewayOptions, Secret } from '@hydra/gateway'
import { faultOfAddress } from '@hydra/gateway/schema'
import { readSecret } from '../config/read-secret.ts'
import { integer, optionOrVariable, type NamedValue, type Sources } from './options.ts'

const DEFAULT_PORT = 3456
const DEFAULT_HOST = '127.0.0.1'
const ANY_PORT = { min: 0, max: 65_535 }

/** The names under which a server on this machine is called from it. */
export const LOOPBACK_NAMES: readonly string[] = ['127.0.0.1', 'localhost', '::1', '[::1]']

/** Where a proxy listens, and the key it asks for. */
export interface Address {
  readonly host: string
  readonly port: number
  readonly key: Secret | undefined
}

/** Reads where the proxy listens, and the key that clients must bring. */
export function addressOf(sources: Sources): Address {
  const { host, port } = sources.source?.config ?? {}
  return {
    host: sources.options.host ?? host ?? DEFAULT_HOST,
    port: integer(optionOrVariable('port', sources), ANY_PORT) ?? port ?? DEFAULT_PORT,
    key: clientKey(sources),
  }
}

function clientKey(sources: Sources): Secret | undefined {
  const { source, env } = sources
  const typed = optionOrVariable('key', sources)
  const key = typed?.value ?? source?.config.key
  if (key === undefined) return undefined
  if (!/^(?:env|file):/.test(key)) return new Secret(key)
  const secret = readSecret(key, env)
  if (secret instanceof Secret) return secret
  throw typed === undefined && source !== undefined
    ? source.fault(['key'], secret)
    : new UsageError(`${typed?.name ?? 'key'}: ${secret}`)
}

/** Whether only this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK_NAMES.includes(host.toLowerCase()) || (isIPv4(host) && host.startsWith('127.'))
}

/** Whether an address means all addresses of this machine. */
export function isEveryAddress(host: string): boolean {
  return ['0.0.0.0', '::'].includes(bareHost(host))
}

/** An address without the brackets that it has in a URL. */
export function bareHost(host: string): string {
  return host.replace(/^\[|\]$/g, '')
}

/** The address of a server as one calls it: an address that means all of them is called on this machine. */
export function urlOf(host: string, port: number): string {
  if (isEveryAddress(host)) return `http://127.0.0.1:${port}`
  const bare = bareHost(host)
  return `http://${bare.includes(':') ? `[${bare}]` : bare}:${port}`
}

/** An address from an option or a variable, checked. */
export function checkedAddress({ name, value }: NamedValue): string {
  const fault = faultOfAddress(value)
  if (fault === undefined) return value
  throw new UsageError(`${name}: ${fault}`)
}

/** An address as it may be shown: without its query, where some providers want a key. */
export function shownAddress(address: string): string {
  const { origin, pathname } = new URL(address)
  return origin + pathname.replace(/\/+$/, '')
}

/** Refuses an upstream that is this proxy itself: each request would go round and round. */
export function refuseSelf(port: number, { upstreams }: GatewayOptions): void {
  for (const [name, { url }] of Object.entries(upstreams)) {
    const address = new URL(url)
    if (port === 0 || Number(address.port) !== port || !isLoopback(address.hostname)) continue
    throw new UsageError(
      `the upstream ${name} is this proxy itself: choose another --port or another address`,
    )
  }
}

/** Where the inspector of a proxy is; a browser cannot go to "every address". */
export function inspectorUrl(url: string): string {
  return `${url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:|$)/, '//127.0.0.1')}/_hydra/`
}
