import type { ServerResponse } from 'node:http'

/** What a load balancer wants to know. */
export interface ServingState {
  readonly isDraining: boolean
  /** Why no requests should come, if that is so. */
  readonly trouble: string | undefined
  /** Whether requests can be served in spite of the trouble, though not all of them. */
  readonly isUsable: boolean
}

/** For a balancer whose replicas share one store: without it all of them are as good as any. */
const STORE_OPTIONAL = '/readyz?store=optional'

/**
 * Answers `/livez` (the process works) and `/readyz` (it wants requests); says whether it did. They need no key and tell
 * nothing of the configuration.
 */
export function probeAnswer(
  path: string | undefined,
  response: ServerResponse,
  state: () => ServingState,
): boolean {
  if (path === '/livez') {
    answer(response, 200, { status: 'ok' })
    return true
  }
  if (path !== '/readyz' && path !== STORE_OPTIONAL) return false
  const { isDraining, trouble, isUsable } = state()
  const reason = isDraining ? 'draining' : trouble
  const isDegraded = !isDraining && isUsable && path === STORE_OPTIONAL
  if (reason === undefined) answer(response, 200, { status: 'ok' })
  else if (isDegraded) answer(response, 200, { status: 'degraded', reason })
  else answer(response, 503, { status: 'not ready', reason })
  return true
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}
