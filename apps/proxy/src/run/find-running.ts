import type { Secret } from '@hydra/gateway'
import { type Address, urlOf } from '../settings/address.ts'

/** What is found at an address: nothing, a proxy of ours, one that asks for another key, or something else. */
export type Found =
  | { readonly who: 'nothing' | 'locked' | 'other' }
  /** A proxy of ours, and whether it passes requests on with the credentials of the client. */
  | { readonly who: 'hydra'; readonly passes: boolean }

/** Far more than a proxy on this machine needs; something that accepts and never answers must not hang us. */
const PATIENCE = 3000

/** Looks who is at the address where the proxy would be. */
export async function findRunning({ host, port, key }: Address): Promise<Found> {
  // A port that is not known yet cannot be asked.
  if (port === 0) return { who: 'nothing' }
  const url = `${urlOf(host, port)}/health`
  try {
    // The key is not for any server that happens to listen: only one that asks for it as our proxy does gets it.
    const found = await ask(url, undefined)
    return found.who === 'locked' && key !== undefined ? await ask(url, key) : found
  } catch (error) {
    return { who: isRefused(error) ? 'nothing' : 'other' }
  }
}

async function ask(url: string, key: Secret | undefined): Promise<Found> {
  const response = await fetch(url, {
    headers: key === undefined ? {} : { 'x-hydra-key': key.reveal() },
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE),
  })
  return whoSays((await response.json()) as Answer)
}

interface Answer {
  readonly name?: unknown
  readonly passes?: unknown
  readonly error?: { readonly type?: unknown; readonly message?: unknown }
}

function whoSays({ name, passes, error }: Answer): Found {
  if (name === 'hydra') return { who: 'hydra', passes: passes === true }
  const isLocked =
    error?.type === 'authentication_error' && String(error.message).startsWith('this server asks for a key')
  return { who: isLocked ? 'locked' : 'other' }
}

function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined
  return cause?.code === 'ECONNREFUSED'
}
