import { type Caller, registry, Router } from '@hydra/core'
import type { TapedExchange } from '@hydra/tape'

/** Who sent the request of a recorded exchange, by the path that it came in at. */
export function callerOf({ request }: TapedExchange): Caller {
  const { method = 'POST', path = '/', headers = {} } = request ?? {}
  return new Router(registry).find({ method, path: pathOf(path), headers })
}

/** A path without its query. */
export function pathOf(path: string): string {
  return path.split('?', 1)[0] ?? path
}

/** The fields of a path's query. */
export function queryOf(path: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(path.slice(pathOf(path).length)))
}
