import type { HubExtras, HubRequest } from '../hub/request.ts'
import { present } from '../json/present.ts'

const TIERS: ReadonlyMap<unknown, 'auto' | 'standard_only'> = new Map([
  ['auto', 'auto'],
  ['default', 'standard_only'],
])

/** A tier of service in the hub's word for it, or as the client said it where there is none. */
export interface DecodedTier {
  readonly fields: Pick<HubRequest, 'service_tier'>
  readonly extras: Pick<HubExtras, 'service_tier'>
}

/** Decodes one of OpenAI's tiers of service; those that only OpenAI knows reach its servers. */
export function decodeServiceTier(tier: unknown): DecodedTier {
  const known = TIERS.get(tier)
  if (known !== undefined) return { fields: { service_tier: known }, extras: {} }
  return { fields: {}, extras: present('service_tier', typeof tier === 'string' && tier ? tier : undefined) }
}
