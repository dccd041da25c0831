import { UsageError } from '@hydra/cli'
import { isEveryAddress, isLoopback } from '../settings/address.ts'
import type { Settings } from '../settings/read-settings.ts'

/** Refuses to let other machines in without a key, unless that was asked for. */
export function refuseOpenDoor({ host, insecure, gateway }: Settings): void {
  if (isLoopback(host) || gateway.guard?.key !== undefined || insecure) return
  throw new UsageError(
    `listening on ${host} lets other machines in: set a key with --key or HYDRA_KEY, or type --insecure if you mean it`,
  )
}

/** What is said at the start of a door that other machines can reach; the address alone does not show it. */
export function doorLines({ host, gateway }: Settings): string[] {
  if (isLoopback(host)) return []
  const where = isEveryAddress(host) ? ' on all addresses' : ''
  const who = gateway.guard?.key === undefined ? ', without a key (--insecure)' : '; clients need the key'
  return [`open to other machines${where}${who}`]
}
