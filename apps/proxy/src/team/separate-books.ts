import { UsageError } from '@hydra/cli'
import { isUnlimited } from '@hydra/team'
import type { Settings } from '../settings/read-settings.ts'

/** Refuses limits that each of several processes would count for itself: together they would let through a multiple. */
export function refuseSeparateBooks({ workers, team }: Pick<Settings, 'workers' | 'team'>): void {
  if (workers === 1 || team?.store !== 'memory') return
  const limited = team.keys.find(({ limits = {} }) => !isUnlimited(limits))
  if (limited === undefined) return
  throw new UsageError(
    `the key '${limited.name}' has limits, and each of ${workers} processes would count for itself: set --store file:PATH or --store redis://HOST`,
  )
}

/** The same for settings that are read again: the processes and their store stay as they were. */
export function keepBooks({ workers, team: before }: Settings, { team }: Settings): void {
  if (before === undefined || team === undefined) return
  refuseSeparateBooks({ workers, team: { ...team, store: before.store } })
}
