import { UsageError } from '@hydra/cli'
import { isEveryAddress, isLoopback } from '../settings/address.ts'
import type { Settings } from '../settings/read-settings.ts'

/** Whether clients need a key: one that all share, or one of their own. */
export function asksForKey({ gateway, team }: Pick<Settings, 'gateway' | 'team'>): boolean {
  return gateway.guard?.key !== undefined || team !== undefined
}

/** Refuses to let other machines in without a key, unless that was asked for. */
export function refuseOpenDoor(settings: Settings): void {
  const { host, insecure, metrics } = settings
  if (isLoopback(host) || asksForKey(settings)) return
  if (metrics)
    throw new UsageError(`listening on ${host} with metrics needs a key: set one with --key or HYDRA_KEY`)
  if (insecure) return
  throw new UsageError(
    `listening on ${host} lets other machines in: set a key with --key or HYDRA_KEY, or type --insecure if you mean it`,
  )
}

/** The same for settings that are read again: where it listens and whom it serves stays as it was. */
export function keepDoor({ host, metrics, team }: Settings, changed: Settings): void {
  refuseOpenDoor({ ...changed, host, metrics, team })
}

/** What is said at the start of a door that other machines can reach; the address alone does not show it. */
export function doorLines(settings: Settings): string[] {
  const { host } = settings
  if (isLoopback(host)) return []
  const where = isEveryAddress(host) ? ' on all addresses' : ''
  const who = !asksForKey(settings) ? ', without a key (--insecure)' : '; clients need the key'
  return [`open to other machines${where}${who}`]
}
