import type { ExchangeReport } from '@hydra/gateway'

/** With these an upstream says that a key is not valid, or not paid for: waiting does not help. */
const FOR_GOOD: ReadonlySet<number | undefined> = new Set([401, 402])

/** What whoever runs the proxy should know of keys that an exchange found refused for good. */
export function refusedKeys({ keys = [] }: Pick<ExchangeReport, 'keys'>): string[] {
  return keys
    .filter(({ status }) => FOR_GOOD.has(status))
    .map(({ upstream, label, status }) => {
      const words = status === 401 ? 'is not valid (401)' : 'is not paid for (402)'
      return `upstream ${upstream}: its key '${label}' ${words}; it rests, and the others are used`
    })
}
