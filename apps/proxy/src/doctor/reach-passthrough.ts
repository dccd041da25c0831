import type { GatewayOptions } from '@hydra/gateway'
import { shownAddress } from '../settings/address.ts'
import { passingUpstreams } from '../settings/providers.ts'
import { bad, type Finding, good } from './finding.ts'

const PATIENCE = 10_000

/** Whether the places can be reached that requests pass to; no request is sent, because the credentials are not ours. */
export async function* reachPassthrough(gateway: GatewayOptions): AsyncGenerator<Finding> {
  for (const name of passingUpstreams(gateway)) {
    const url = gateway.upstreams[name]?.url
    // oxlint-disable-next-line no-await-in-loop -- one line after the other
    if (url !== undefined) yield await reach(name, url)
  }
}

async function reach(name: string, url: string): Promise<Finding> {
  const text = `upstream ${name} at ${shownAddress(url)}`
  try {
    const signal = AbortSignal.timeout(PATIENCE)
    await fetch(new URL(url).origin, { method: 'HEAD', redirect: 'manual', signal })
    return good(`${text}: reachable`)
  } catch {
    return bad(`${text}: cannot be reached; is there a connection, and is --anthropic-url right?`)
  }
}
