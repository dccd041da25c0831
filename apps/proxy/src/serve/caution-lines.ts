import { missingKeys } from '../settings/providers.ts'
import type { Settings } from '../settings/read-settings.ts'
import { doorLines } from './open-door.ts'

/** Warnings for the person who starts the proxy, one line each. */
export function cautionLines(settings: Settings): string[] {
  const keys = [...missingKeys(settings.gateway)].map(
    ([name, variable]) => `no key for the upstream ${name}: it will refuse requests until ${variable} is set`,
  )
  return [...doorLines(settings), ...keys, ...memoryLines(settings)]
}

/** What a client refers back to is only found by the process that has answered it, unless there is a store for it. */
function memoryLines({ workers, team }: Settings): string[] {
  const isShared = team !== undefined && team.store !== 'memory'
  if (workers === 1 || isShared) return []
  return [
    'each process remembers for itself what clients refer back to (previous_response_id, thinking): --store shares it',
  ]
}
