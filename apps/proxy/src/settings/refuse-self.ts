import { UsageError } from '../cli/usage-error.ts'
import { isLoopback } from './loopback.ts'
import type { Settings } from './settings.ts'

/** Refuses an upstream that is this proxy itself: each request would go round and round. */
export function refuseSelf({ port, gateway }: Pick<Settings, 'port' | 'gateway'>): void {
  for (const [name, { url }] of Object.entries(gateway.upstreams)) {
    const address = new URL(url)
    if (port === 0 || Number(address.port) !== port || !isLoopback(address.hostname)) continue
    throw new UsageError(
      `the upstream ${name} is this proxy itself: choose another --port or another address`,
    )
  }
}
