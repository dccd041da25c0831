import { clientKey, type ProxyForClient } from './client-environment.ts'

/** Far more than a proxy on this machine needs. */
const PATIENCE = 3000

interface ModelList {
  readonly data?: readonly { readonly id: string }[]
}

/** The names of models that a proxy's routes say, the first of them the one to ask for. */
export async function readModels(proxy: ProxyForClient): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${clientKey(proxy)}` }
  const signal = AbortSignal.timeout(PATIENCE)
  const response = await fetch(`${proxy.url}/v1/models`, { headers, signal })
  const { data = [] } = (await response.json()) as ModelList
  return data.map(({ id }) => id)
}
