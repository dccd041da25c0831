import { missingKeys } from '../settings/providers.ts'
import type { Settings } from '../settings/read-settings.ts'
import { doorLines } from './open-door.ts'

/** What whoever starts the proxy should know before anything goes wrong, one line each. */
export function cautionLines(settings: Settings): string[] {
  const keys = [...missingKeys(settings.gateway)].map(
    ([name, variable]) => `no key for the upstream ${name}: it will refuse requests until ${variable} is set`,
  )
  return [...doorLines(settings), ...keys]
}
