import type { Settings } from '../settings/read-settings.ts'

/** What a change of the settings needs a restart for, in words. */
export function restartNeeds(before: Settings, after: Settings): string[] {
  const kept = keptOf(before, after)
  return Object.entries(keptOf(after, before))
    .filter(([name, value]) => value !== kept[name])
    .map(([name]) => `the change of ${name} in the configuration counts only after a restart`)
}

/** What a server keeps for as long as it runs, by the names of the configuration. */
function keptOf({ team, ...settings }: Settings, other: Settings): Readonly<Record<string, unknown>> {
  const { host, port, workers, metrics, inspector, drainLimit } = settings
  const own = { host, port, workers, metrics, inspector, 'timeouts.drain': drainLimit }
  // Who has never served a team has nothing that could take its parts.
  if (team === undefined || other.team === undefined) return { ...own, 'store and keys': team !== undefined }
  const { store, lease, replicas, budgetsWithoutStore } = team
  const rules = { 'team.lease': lease, 'team.replicas': replicas }
  return { ...own, store, ...rules, 'team.budgetsWithoutStore': budgetsWithoutStore }
}
