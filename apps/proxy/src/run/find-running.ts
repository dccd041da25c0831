import { urlOf } from '../settings/loopback.ts'
import type { Address } from '../settings/read-settings.ts'

/** What is found at an address: nothing, a proxy of ours, one that asks for another key, or something else. */
export type Found = 'nothing' | 'hydra' | 'locked' | 'other'

/** Far more than a proxy on this machine needs; something that accepts and never answers must not hang us. */
const PATIENCE = 3000

/** Looks who is at the address where the proxy would be. */
export async function findRunning({ host, port, key }: Address): Promise<Found> {
  // Nobody can be found at a port that is not known yet.
  if (port === 0) return 'nothing'
  try {
    const response = await fetch(`${urlOf(host, port)}/health`, {
      headers: key === undefined ? {} : { 'x-hydra-key': key.reveal() },
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE),
    })
    return whoSays((await response.json()) as Answer)
  } catch (error) {
    return isRefused(error) ? 'nothing' : 'other'
  }
}

interface Answer {
  readonly name?: unknown
  readonly error?: { readonly type?: unknown; readonly message?: unknown }
}

function whoSays({ name, error }: Answer): Found {
  if (name === 'hydra') return 'hydra'
  return error?.type === 'authentication_error' ? 'locked' : 'other'
}

function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined
  return cause?.code === 'ECONNREFUSED'
}
