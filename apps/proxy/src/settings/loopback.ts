import { isIPv4 } from 'node:net'

/** The names under which a server on this machine is called from it. */
export const LOOPBACK_NAMES: readonly string[] = ['127.0.0.1', 'localhost', '::1', '[::1]']

/** Whether only this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK_NAMES.includes(host.toLowerCase()) || (isIPv4(host) && host.startsWith('127.'))
}

/** Whether an address stands for all addresses of this machine. */
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
