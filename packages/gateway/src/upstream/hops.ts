import { headerOf, type HeaderValues, HubError } from '@hydra/core'

/** Names the gateways that a request has come through, as `Via` does for proxies. */
export const HOPS_HEADER = 'x-hydra-hops'

/** More gateways in a row are a mistake, even if none of them is there twice. */
const MAX_HOPS = 16

/** Refuses a request that this gateway has sent itself, or that goes through too many. */
export function refuseLoop(headers: HeaderValues, ownId: string): HubError | undefined {
  const hops = hopsOf(headers)
  if (!hops.includes(ownId) && hops.length < MAX_HOPS) return undefined
  const reason = hops.includes(ownId)
    ? 'the request has come back to the gateway that sent it'
    : `the request has come through ${hops.length} gateways`
  return new HubError('invalid_request_error', `${reason}: an upstream leads back here`, {
    status: 508,
    shouldRetry: false,
  })
}

/** The header of a call that passes a request on. */
export function hopsWith(headers: HeaderValues, ownId: string): string {
  return [...hopsOf(headers), ownId].join(', ')
}

/** Anything but ids is left out: what a client wrote goes into a header of ours. */
function hopsOf(headers: HeaderValues): string[] {
  const value = headerOf(headers, HOPS_HEADER)
  return value === undefined ? [] : value.split(/\s*,\s*/).filter((hop) => /^[\w-]{1,64}$/.test(hop))
}
