import { isIPv4 } from 'node:net'

/** The names under which a server on this machine is called from it. */
export const LOOPBACK_NAMES: readonly string[] = ['127.0.0.1', 'localhost', '::1', '[::1]']

/** Whether only this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK_NAMES.includes(host.toLowerCase()) || (isIPv4(host) && host.startsWith('127.'))
}

/** The address of a server as one calls it: an address that means all of them is called on this machine. */
export function urlOf(host: string, port: number): string {
  const bare = host.replace(/^\[|\]$/g, '')
  if (bare === '0.0.0.0' || bare === '::') return `http://127.0.0.1:${port}`
  return `http://${bare.includes(':') ? `[${bare}]` : bare}:${port}`
}
