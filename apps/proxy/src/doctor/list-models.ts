import { didYouMean } from '@hydra/cli'
import type { Upstream } from '@hydra/gateway'
import { shownAddress } from '../settings/address.ts'
import { type Finding, good, odd } from './finding.ts'

const PATIENCE = 10_000

/** The names of the models that a server lists at an address; nothing if it has no such list. */
async function namesAt(address: string, { key, profile }: Upstream): Promise<readonly string[] | undefined> {
  const { keyHeader } = profile
  const headers: Record<string, string> = {}
  if (key !== undefined)
    headers[keyHeader] = keyHeader === 'authorization' ? `Bearer ${key.reveal()}` : key.reveal()
  try {
    const response = await fetch(address, {
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE),
    })
    const { data } = (await response.json()) as { data?: unknown }
    if (!response.ok || !Array.isArray(data)) return undefined
    return data.map((item) => String((item as { id?: unknown } | null)?.id))
  } catch {
    return undefined
  }
}

/** Looks for a model in the list of its server. Many servers have none, which says nothing. */
export async function* checkModelList(
  upstream: Upstream,
  model: string,
  name: string,
): AsyncGenerator<Finding> {
  const names = await namesAt(`${bare(upstream.url)}/models`, upstream)
  if (names === undefined || names.length === 0) return
  if (names.includes(model)) {
    yield good(`${name}: it is one of the ${names.length} models that the server lists`)
    return
  }
  const hint =
    didYouMean(model, names) ?? `it has ${names.slice(0, 5).join(', ')}${names.length > 5 ? ' …' : ''}`
  yield odd(`${name}: the server does not list this model; ${hint}`)
}

/** What to do where nothing was found at an address without a version: most servers have theirs below /v1. */
export async function adviceOnVersion(upstream: Upstream): Promise<string | undefined> {
  const base = bare(upstream.url)
  if (/\/v\d/.test(base) || (await namesAt(`${base}/models`, upstream)) !== undefined) return undefined
  if ((await namesAt(`${base}/v1/models`, upstream)) === undefined) return undefined
  return `A server answers at ${shownAddress(base)}/v1: use that as --target-url.`
}

function bare(url: string): string {
  return url.replace(/[?#].*$/, '').replace(/\/+$/, '')
}
