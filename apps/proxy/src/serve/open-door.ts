import { UsageError } from '../cli/usage-error.ts'
import { isLoopback } from '../settings/loopback.ts'
import type { Settings } from '../settings/settings.ts'

/** Refuses to let other machines in without a key, unless that was asked for. */
export function refuseOpenDoor({ host, insecure, gateway }: Settings): void {
  if (isLoopback(host) || gateway.guard?.key !== undefined || insecure) return
  throw new UsageError(
    `--host ${host} lets other machines in: set a key with --key or HYDRA_KEY, or type --insecure if you mean it`,
  )
}
